/**
 * The ids that the examples of the API name. The sandbox's gateway begins with a record of each, so that an example can
 * be sent as it stands.
 */
export const EXAMPLE_IDS = {
  /** A video that is completed, and its job on the backend `main`. */
  video: 'vid_01M7WA9S7VF4P8S27TV0W2QQJ9',
  job: 'api_video_7Hq2',
  /** Made from the id of the video: its end, and how its `webhook_url` was told. */
  event: 'evt_93ea97acbfc0f0feeac794302d',
  delivery: 'dlv_1d3934da18de025aa6a6ebc381',
  /** A video that was canceled: to cancel it again is no error. */
  canceledVideo: 'vid_01M7WA9S7VF4P8S27TV0W2QQJC',
  endpoint: 'we_01M7WA9S7VF4P8S27TV0W2QQJA',
  key: 'key_01M7WA9S7VF4P8S27TV0W2QQJB',
  client: 'studio',
  /** Portraits of the backend `main`, taken for the client's own: it may delete them, on one surface each. */
  puppet: 'puppet_cleo',
  dropinPuppet: 'puppet_dov',
} as const
