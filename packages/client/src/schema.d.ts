// Written by `npm run client-types`. Not to be edited.
export interface paths {
    "/unified/v1/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your videos
         * @description Lists your own videos from the gateway's records, newest first. The pages repeat no video and skip none.
         *
         *     With `origin=backend` and `backend`, you get the backend's own list instead. It has the jobs of everyone on that account, at most the newest 2,000. `Talkbridge-Warning` says when there are more. This needs the scope `backends:read_all` instead, and costs requests of the account. If the gateway cannot read a page yet, the answer is 503. Retry: the reading continues where it stopped.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["listVideos"];
        put?: never;
        /**
         * Make a video
         * @description Give exactly one portrait: `image_url` or `puppet_id`. Give exactly one source: `text` (or its alias `script`), `audio_url` or `upload_id`. The backend is the one in `backend`, or the one that your ids belong to. Otherwise routing rules or the default decide.
         *
         *     Needs the scope `videos:create`.
         */
        post: operations["createVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/videos/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a request without making a video
         * @description Send the same body as to createVideo. The gateway sends nothing to a backend, and you pay nothing. For each of your backends the answer shows whether it can make the video, what would be lost, and the exact request, with secrets masked. The gateway looks up voices and portraits in the catalogue that it read last.
         *
         *     Needs the scope `videos:create`.
         */
        post: operations["checkVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/videos/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a job that was made without the gateway
         * @description The job must belong to the same account of the backend. The gateway then polls and lists it, and sends its events, like any other video. If you import the same job again, you get the same video. The gateway refuses a job that may belong to a create in doubt.
         *
         *     Needs the scope `backends:import`.
         */
        post: operations["importVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/videos/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a video
         * @description The answer comes from the gateway's records. It never costs a request to the backend.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["getVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/videos/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a video
         * @description A stream of server-sent events. `data:` is the Video as a read answers it: as it is now, then again after every visible change. `event:` is the type of the change, and `id:` is the version of the video. With `Last-Event-ID` you get only what is newer. A comment every 15 seconds keeps the connection open. A slow reader gets only the latest state. The stream ends after the terminal event.
         *
         *     The `events_url` of the video needs no key, so you can give it to the `EventSource` of a browser. It counts towards the owner's limits, and its `data` lacks `input`, `metadata` and `webhook_url`.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["streamVideoEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/videos/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a waiting video
         * @description You can cancel a video only while it waits in the gateway, before anything is paid.
         *
         *     Needs the scope `videos:create`.
         */
        post: operations["cancelVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/videos/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link to the video file
         * @description Answers the known signed link while it is valid. After that the gateway gets a new one from the backend.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["getVideoDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/videos/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Redirect to the video file
         * @description This is the link to keep (`content_url`). Its `sig` stands in for the key.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["getVideoContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/voices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List voices
         * @description Lists the voices of all your backends. Each page continues after the last item of the page before, in the list as it is now. If the gateway cannot read the list of a backend, `Talkbridge-Warning` names it. If it can read none, the answer is the error.
         *
         *     Needs the scope `voices:read`.
         */
        get: operations["listVoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/puppets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved portraits
         * @description Portraits belong to the workspace of the backend: all its clients see them. Lists of several backends work as in listVoices.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["listPuppets"];
        put?: never;
        /**
         * Save a portrait
         * @description Needs the scope `videos:create`.
         */
        post: operations["createPuppet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/puppets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a saved portrait
         * @description Needs the scope `videos:read`.
         */
        get: operations["getPuppet"];
        put?: never;
        post?: never;
        /**
         * Delete a saved portrait
         * @description You can delete only a portrait that you saved through this gateway. For another one you get 403 `not_owner`.
         *
         *     Needs the scope `videos:create`.
         */
        delete: operations["deletePuppet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/speech": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn a text into speech
         * @description Needs the scope `tts:create`.
         */
        post: operations["createSpeech"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reserve an upload for an audio file
         * @description Next, `PUT` the file to `upload_url` with the `headers` of the answer. It goes directly to storage. Then give the id to createVideo as `upload_id`.
         *
         *     Needs the scope `uploads:create`.
         */
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the overall state
         * @description Shows open videos, how videos ended in the last 24 hours, how late the gateway noticed, deliveries, and the latest problems. The cost of this request does not grow with the number of videos.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/backends/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a backend
         * @description Adds to `listBackends`: the rate-limit window, the circuit breaker, the queue, and how long jobs ran. It also shows when a new job would be polled. The gateway sends nothing to the backend.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["getBackend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/backends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your backends
         * @description Shows health, capabilities, and what is left of budgets and slots.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["listBackends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/backends/{name}/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a backend sent outside its contract
         * @description Lists the statuses, error codes and fields that the backend sent and its contract does not have.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["getDrift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show credits, slots and usage
         * @description Shows what each backend has left, and what you used through the gateway this month.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/webhook_endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your endpoints
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Register an endpoint
         * @description The gateway sends the events of all your videos to it. You may have 50 endpoints. The answer shows the secret, which signs the events. Keep it: later answers do not show it, except when you rotate it.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/webhook_endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an endpoint
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete an endpoint
         * @description Deliveries that still wait for it fail.
         *
         *     Needs the scope `webhooks:write`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint
         * @description Fields that you leave out stay as they are. While the endpoint is disabled, the gateway holds terminal events for it, at most 10,000. More become failed deliveries. When you enable it, held events are released, ten a second.
         *
         *     Needs the scope `webhooks:write`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/unified/v1/webhook_endpoints/{id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of an endpoint
         * @description Until the old secret expires, events carry one signature for each secret, the newest first.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["rotateWebhookEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/webhook_endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event now
         * @description Sends one event, also to a disabled endpoint, and stores nothing. The test waits for its turn among the deliveries. A second test before the first has ended gets 429.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/webhook_endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend past events
         * @description Sends past events of the types that the endpoint subscribes to, each one time, under its own id. A call may match 10,000 events; more get 400. The replay continues after a restart, and the field `replay` of the endpoint shows its progress. You may resend 20,000 deliveries an hour; more get 429.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["replayWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/webhook_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your webhook secret
         * @description It signs the events that go to the `webhook_url` of a video (Standard Webhooks).
         *
         *     Needs the scope `webhooks:write`.
         */
        get: operations["getWebhookSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/webhook_secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate your webhook secret
         * @description Until the old secret expires, events carry one signature for each secret. If the configuration sets the secret, you get 400.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow all your videos
         * @description A stream of server-sent events: every event of your videos, in order, with or without a webhook. `data:` is the body of the webhook. `id:` begins with its `webhook-id` and a dot. The stream starts now, or after `Last-Event-ID`, and sends each event one time. A comment every 15 seconds keeps the connection open.
         *
         *     The gateway keeps events for `retention_days`. If some after your `Last-Event-ID` may be gone, the first event is `stream.gap`, without an id. Then comes the oldest event that is kept.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Lists the events of all your videos and endpoints, newest first, also those that were sent to nobody. The gateway keeps them for 30 days.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/events/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend an event
         * @description Sends the event again under the same id: to its first targets, and to the endpoints that subscribe to it now. Disabled endpoints get nothing. Streams repeat the event too. A retry that waits is canceled, because this delivery starts again. You may resend 20,000 deliveries an hour; more get 429.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["redeliverEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Lists one delivery for each event and target, newest first.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery
         * @description Shows its attempts, what the gateway sent, and what the receiver answered.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the overall state of all clients
         * @description Shows open videos, how videos ended in the last 24 hours, how late the gateway noticed, deliveries, and the latest problems. The cost of this request does not grow with the number of videos. It covers all clients, or one `client`. It also shows creates in doubt and stopped splits.
         *
         *     Needs the scope `admin`.
         */
        get: operations["getAdminOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/backends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all backends
         * @description Shows each backend as its clients see it.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listAdminBackends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/backends/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a backend, with the queue of all clients
         * @description Adds to `listBackends`: the rate-limit window, the circuit breaker, the queue, and how long jobs ran. It also shows when a new job would be polled. The gateway sends nothing to the backend.
         *
         *     Needs the scope `admin`.
         */
        get: operations["getAdminBackend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the videos of all clients
         * @description Lists the videos of all clients, or of one `client`, newest first. Each is as its owner sees it, plus `client` and `doubt`. The pages repeat no video and skip none. With `doubt` you get only creates in doubt.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listAdminVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/videos/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a video of any client, and its doubt
         * @description Shows what you need before you end a doubt: the attempt in doubt, and the jobs that it may have made.
         *
         *     Needs the scope `admin`.
         */
        get: operations["getAdminVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/videos/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a video of any client
         * @description Works like streamVideoEvents, for a video of any client. It counts towards your own limits.
         *
         *     Needs the scope `admin`.
         */
        get: operations["streamAdminVideoEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/videos/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a waiting video of any client
         * @description Works like cancelVideo: only while the video waits in the gateway, before anything is paid. The audit log records it.
         *
         *     Needs the scope `admin`.
         */
        post: operations["cancelAdminVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/videos/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a doubt manually
         * @description Use this when you know what a create in doubt did. Give `job_id` if it made that job. Give `absent` if it made none: the gateway then sends the create again. `absent` is about one attempt, `doubt.attempt` of the video. The gateway refuses it for an attempt that is over.
         *
         *     A video that failed with `create_outcome_unknown` stays failed, and nothing is sent again. With `job_id`, the job becomes a new video of the same client, which `replaces` the failed one. The answer is that new video. If you repeat the same `job_id`, you get the same answer. Another `job_id`, or `absent`, then gets 409 `video_replaced`.
         *
         *     Needs the scope `admin`.
         *
         *     The sandbox of `npm start` answers the example with 400, because no create is in doubt there.
         */
        post: operations["resolveVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of all clients
         * @description Lists the events of all clients, or of one `client`, newest first. Each is as its client sees it.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listAdminEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the videos of all clients
         * @description Works like `GET /events/stream`, for all clients: `client` in `data:` names the owner. Events of one video come in order. Events of different videos come almost in order.
         *
         *     Needs the scope `admin`.
         */
        get: operations["streamAdminEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/events/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend an event of any client
         * @description Works like redeliverEvent, to the targets of the event's client. It counts towards what that client may resend in an hour. The audit log records it.
         *
         *     Needs the scope `admin`.
         */
        post: operations["redeliverAdminEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of all clients
         * @description Lists the deliveries of all clients, or of one `client`, newest first. `status=failed` shows what did not arrive.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listAdminDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery of any client
         * @description Shows its attempts, and what the receiver answered.
         *
         *     Needs the scope `admin`.
         */
        get: operations["getAdminDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints of all clients
         * @description Lists the endpoints of all clients, or of one `client`, newest first. No answer shows a secret.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listAdminEndpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint of any client
         * @description Shows the endpoint, with the number of deliveries that wait. No answer shows a secret.
         *
         *     Needs the scope `admin`.
         */
        get: operations["getAdminEndpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a month’s usage by client and backend
         * @description Shows the videos and credits of each client and backend, and the requests of each client. The order is by client, then by backend. The row without a backend comes first. A video counts in the month of its creation, even after it was removed. Requests may be 10 seconds late.
         *
         *     With `format=csv` the answer is the whole month as one file (RFC 4180, with a header). There, an apostrophe precedes a text that a spreadsheet would read as a formula.
         *
         *     Needs the scope `admin`.
         */
        get: operations["getAdminUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List issued keys
         * @description Lists active and ended keys. The gateway keeps ended keys for `retention_days`.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Issue a key
         * @description The client may be in the configuration or stored. Only this answer shows the key: the gateway keeps only its SHA-256. You can give only scopes that your own key has. Others get 403 `insufficient_scope`. Only a key with `*` can give `*`. At most 10,000 keys can be active.
         *
         *     Needs the scope `admin`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an issued key
         * @description Needs the scope `admin`.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a key
         * @description Makes a key with the same client, name and scopes. The old key works for `overlap` longer, by default a day. A key that ended, or was rotated before, gets 409 `key_not_active`. A key with a scope that your own key lacks gets 403.
         *
         *     Needs the scope `admin`.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a key
         * @description Takes effect on every process within a second. New requests are refused, streams end, and requests that wait get their answer. You can safely repeat this call.
         *
         *     Needs the scope `admin`.
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List clients
         * @description Lists the clients of the configuration and the stored ones.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listClients"];
        put?: never;
        /**
         * Create a client
         * @description Adds a client to those of the configuration. It has no key yet: issue one with createKey. You cannot reuse the id of a deleted client.
         *
         *     Needs the scope `admin`.
         */
        post: operations["createClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/clients/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a client
         * @description Needs the scope `admin`.
         */
        get: operations["getClient"];
        put?: never;
        post?: never;
        /**
         * Delete a client
         * @description You cannot undo this. The keys of the client are refused, and nobody can reuse its id. The gateway follows its open videos to their end.
         *
         *     Needs the scope `admin`.
         */
        delete: operations["deleteClient"];
        options?: never;
        head?: never;
        /**
         * Change a client
         * @description Fields that you leave out stay as they are. The change takes effect on every process within a second. While a client is disabled, its keys are refused. Its videos continue.
         *
         *     Needs the scope `admin`.
         */
        patch: operations["updateClient"];
        trace?: never;
    };
    "/unified/v1/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Lists every change by an operator: who did what, when and from where. The gateway keeps entries for `retention_days`.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/migration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare backends, and show each ramp
         * @description Shows how videos ended on each backend, under each rule and on both sides of each split. Each split has its share in force, its gates and its history. The latest 100,000 videos count; `counted` says whether there were more.
         *
         *     Needs the scope `admin`.
         */
        get: operations["getMigration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/migration/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Raise the share of the new side of a split
         * @description Sets the next of 1, 5, 10, 25, 50 and 100 %. The share is in force on every process within two seconds. You get 409 `ramp_refused` while a gate does not hold (`details.gates`), unless you set `force`. While the split is stopped, you get it even with `force`.
         *
         *     Needs the scope `admin`.
         *
         *     The sandbox of `npm start` answers the example with 404, because its configuration has no split.
         */
        post: operations["stepSplit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/migration/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the share of the new side of a split to 0 %
         * @description Takes effect immediately, whatever the gates say. Videos that the new side already has run to their end there.
         *
         *     Needs the scope `admin`.
         *
         *     The sandbox of `npm start` answers the example with 404, because its configuration has no split.
         */
        post: operations["rollbackSplit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/admin/migration/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a split that stopped itself
         * @description The split continues at the share that it had. Its canary and its gates count outcomes from now on. If the split is not stopped, you get 409 `ramp_refused`.
         *
         *     Needs the scope `admin`.
         *
         *     The sandbox of `npm start` answers the example with 404, because its configuration has no split.
         */
        post: operations["resumeSplit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unified/v1/migration/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report what a move to another backend would lose
         * @description Checks every recorded request of one backend against another one and its catalogue. The gateway uses the same checks as for a create. It sends nothing, and you pay nothing.
         *
         *     With `Accept: application/x-ndjson` you get the progress line by line, and the report as the last line. Only one report runs at a time; a second one gets 429.
         *
         *     Needs the scope `admin`.
         */
        get: operations["getMigrationReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the gateway is alive */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the gateway is ready
         * @description The gateway is ready when it can write to its store. It stays ready when a backend is down.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read metrics for Prometheus
         * @description Answers in the text format of Prometheus. You need no key. If the configuration sets `metrics.token`, send it as a bearer token. With `metrics.enabled: false` you get 404.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this document
         * @description Describes all surfaces of the gateway. With `surface` you get one surface, for its clients and generators.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this document as a page
         * @description The page works offline: the gateway serves everything that it needs. `/docs?surface=primary` shows one surface, `all` shows all. The guide is at `/docs/guide/`.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/videos/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A talking-head video from a portrait, a text and a voice
         * @description The body may have 65,536 bytes. The gateway adds the field `webhook_url`. It sends the signed events of the video there, in the form of the unified API.
         *
         *     Needs the scope `videos:create`.
         */
        post: operations["createVideoFromText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/videos/audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A talking-head video from a portrait and hosted audio
         * @description Works like createVideoFromText. You uploaded the audio through createHostedAudioUploadUrl with the same key.
         *
         *     Needs the scope `videos:create`.
         */
        post: operations["createVideoFromAudio"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/videos/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The status of a job
         * @description The answer comes from the gateway’s records. It costs the backend nothing, and the 504 of the contract does not occur.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["getVideoJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/puppets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved portraits
         * @description Needs the scope `videos:read`.
         */
        get: operations["primaryListPuppets"];
        put?: never;
        /**
         * Save a portrait
         * @description Needs the scope `videos:create`.
         */
        post: operations["primaryCreatePuppet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/puppets/{puppetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a saved portrait
         * @description Needs the scope `videos:read`.
         */
        get: operations["primaryGetPuppet"];
        put?: never;
        post?: never;
        /**
         * Delete a saved portrait
         * @description Needs the scope `videos:create`.
         */
        delete: operations["primaryDeletePuppet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/voices/service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List voices
         * @description With a primary backend, the answer has the backend’s own bytes. You also get the samples through the gateway: `GET` the path in `preview_url`.
         *
         *     Needs the scope `voices:read`.
         */
        get: operations["listServiceVoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tts/service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn a text into speech
         * @description Needs the scope `tts:create`.
         */
        post: operations["createServiceSpeech"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads/audio-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reserve an upload for an audio file
         * @description The body may have 8,192 bytes, the file 52,428,800. Next, `PUT` the file to the signed URL.
         *
         *     Needs the scope `uploads:create`.
         */
        post: operations["createHostedAudioUploadUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Credits, and whether a video can be created now
         * @description Needs the scope `videos:read`.
         */
        get: operations["getDeveloperApiUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List videos
         * @description Lists your own videos from the gateway’s records, newest first.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["alternateListVideos"];
        put?: never;
        /**
         * Create a video
         * @description If you give `webhook_url`, the gateway sends a signed POST there when the video is ready (Standard Webhooks).
         *
         *     Needs the scope `videos:create`.
         */
        post: operations["alternateCreateVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get video status and details
         * @description Needs the scope `videos:read`.
         */
        get: operations["alternateGetVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a temporary signed download URL of a completed video
         * @description Needs the scope `videos:read`.
         */
        get: operations["alternateGetVideoDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/voices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all voices
         * @description Needs the scope `voices:read`.
         */
        get: operations["alternateListVoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/puppets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List puppets (stock and custom)
         * @description Needs the scope `videos:read`.
         */
        get: operations["alternateListPuppets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "video.queued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The gateway accepted a video
         * @description A request of Standard Webhooks, signed with the secret of the target. Answer 2xx when you received it. Every other answer is a failure, also a redirect.
         */
        post: operations["on.video.queued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "video.processing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The backend is making the video
         * @description A request of Standard Webhooks, signed with the secret of the target. Answer 2xx when you received it. Every other answer is a failure, also a redirect.
         */
        post: operations["on.video.processing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "video.progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The video made progress; at most one event in five seconds for each video
         * @description A request of Standard Webhooks, signed with the secret of the target. Answer 2xx when you received it. Every other answer is a failure, also a redirect.
         */
        post: operations["on.video.progress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "video.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The video is finished: `content_url` leads to its file
         * @description A request of Standard Webhooks, signed with the secret of the target. Answer 2xx when you received it. Every other answer is a failure, also a redirect.
         */
        post: operations["on.video.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "video.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The video failed: `error` says why
         * @description A request of Standard Webhooks, signed with the secret of the target. Answer 2xx when you received it. Every other answer is a failure, also a redirect.
         */
        post: operations["on.video.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "video.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The video was canceled before anything was paid
         * @description A request of Standard Webhooks, signed with the secret of the target. Answer 2xx when you received it. Every other answer is a failure, also a redirect.
         */
        post: operations["on.video.canceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Another endpoint of yours was disabled, and not by you
         * @description A request of Standard Webhooks, signed with the secret of the target. Answer 2xx when you received it. Every other answer is a failure, also a redirect.
         */
        post: operations["on.endpoint.disabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "routing.stopped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A canary stopped itself. Clients with the scope `admin` get this event
         * @description A request of Standard Webhooks, signed with the secret of the target. Answer 2xx when you received it. Every other answer is a failure, also a redirect.
         */
        post: operations["on.routing.stopped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "quota.warning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * You used 80 or 100 % of your quota of this month
         * @description A request of Standard Webhooks, signed with the secret of the target. Answer 2xx when you received it. Every other answer is a failure, also a redirect.
         */
        post: operations["on.quota.warning"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * You asked for a test
         * @description A request of Standard Webhooks, signed with the secret of the target. Answer 2xx when you received it. Every other answer is a failure, also a redirect.
         */
        post: operations["on.webhook.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alternate.video.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The video is ready, or has failed
         * @description A request of Standard Webhooks, signed with the secret of the target. Answer 2xx when you received it. Every other answer is a failure, also a redirect.
         */
        post: operations["onAlternateVideoReady"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Video: {
            /** @description `vid_…` */
            id: string;
            /** @constant */
            object: "video";
            /**
             * @description `completed`, `failed` and `canceled` are terminal: they never change
             * @enum {string}
             */
            status: "queued" | "processing" | "completed" | "failed" | "canceled";
            /** @description 0 to 1; null if the backend reports none */
            progress: number | null;
            /** @description The backend that makes the video */
            backend: string;
            /**
             * @description The API of that backend; new values may come
             * @example primary
             * @example alternate
             */
            interface: string;
            /** @description The backend's id of the job; null until the backend accepted it */
            backend_job_id: string | null;
            /**
             * @description What the video is made from
             * @enum {string}
             */
            source: "text" | "audio" | "import";
            /** @description The request; null where you gave nothing. You can send it again as it is. Of a video that was canceled before it was sent, nothing is stored: every field is null */
            input: {
                image_url: string | null;
                puppet_id: string | null;
                text: string | null;
                audio_url: string | null;
                upload_id: string | null;
                voice_id: string | null;
                language: string | null;
                expressiveness: number | null;
                /** @enum {string|null} */
                resolution: "720p" | "1080p" | null;
            };
            /** @description The backend's signed link; null before completion and after it expired */
            video_url: string | null;
            /**
             * Format: date-time
             * @description Null: unknown
             */
            video_url_expires_at: string | null;
            thumbnail_url: string | null;
            /** @description The duration of the finished video */
            duration_seconds: number | null;
            /** @description The duration that the backend estimates before it makes the video */
            duration_estimate_seconds: number | null;
            /** @description The link to keep. It needs no key, stays valid, and redirects to a fresh signed link */
            content_url: string;
            /** @description A stream of this video for the `EventSource` of a browser. It needs no key: anyone who has the link can follow the video */
            events_url: string;
            /** @description Null unless the video failed */
            error: {
                /** @description `backend_failed`, `backend_job_lost`, `backend_job_expired`, `video_url_missing`, `create_outcome_unknown`, or the code of the refusal */
                code: string;
                message: string;
                /** @description True: the same request may succeed later, as a new video */
                retryable: boolean;
                backend_error: components["schemas"]["BackendError"] | null;
            } | null;
            /** @description Null if the backend reports none */
            credits: {
                charged: number | null;
                remaining: number | null;
            } | null;
            /** @description Options that the backend does not have and the gateway left out, with `unsupported: warn` */
            warnings: {
                /** @constant */
                code: "option_ignored";
                param: string;
                message: string;
            }[];
            /** @description As you gave it */
            metadata: {
                [key: string]: string;
            };
            /** @description As you gave it */
            webhook_url: string | null;
            /** @description The backend's own status, word for word */
            backend_status: string | null;
            /** @description Why this backend makes the video */
            routing: {
                /** @enum {string} */
                chosen_by: "request" | "id" | "rule" | "default" | "failover";
                /** @description The rule of the configuration that decided; null: no rule decided */
                rule: string | null;
                considered: {
                    backend: string;
                    /** @enum {string} */
                    verdict: "chosen" | "passed_over";
                    reason: string | null;
                }[];
            };
            /** @description The failed video (`create_outcome_unknown`) that this video replaces */
            replaces: string | null;
            /** @description The video that an operator made from its job, after this video failed */
            replaced_by: string | null;
            /** @description Set only while the video waits in the gateway */
            queue: {
                /** @description 1 is the next video */
                position: number;
                /** @description Why it waits, such as `no_free_slot` */
                reason: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the gateway sent it to the backend
             */
            dispatched_at: string | null;
            /**
             * Format: date-time
             * @description When the video ended
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When the gateway polls next; null after the end
             */
            next_poll_at: string | null;
        };
        VideoWithTimeline: {
            /** @description `vid_…` */
            id: string;
            /** @constant */
            object: "video";
            /**
             * @description `completed`, `failed` and `canceled` are terminal: they never change
             * @enum {string}
             */
            status: "queued" | "processing" | "completed" | "failed" | "canceled";
            /** @description 0 to 1; null if the backend reports none */
            progress: number | null;
            /** @description The backend that makes the video */
            backend: string;
            /**
             * @description The API of that backend; new values may come
             * @example primary
             * @example alternate
             */
            interface: string;
            /** @description The backend's id of the job; null until the backend accepted it */
            backend_job_id: string | null;
            /**
             * @description What the video is made from
             * @enum {string}
             */
            source: "text" | "audio" | "import";
            /** @description The request; null where you gave nothing. You can send it again as it is. Of a video that was canceled before it was sent, nothing is stored: every field is null */
            input: {
                image_url: string | null;
                puppet_id: string | null;
                text: string | null;
                audio_url: string | null;
                upload_id: string | null;
                voice_id: string | null;
                language: string | null;
                expressiveness: number | null;
                /** @enum {string|null} */
                resolution: "720p" | "1080p" | null;
            };
            /** @description The backend's signed link; null before completion and after it expired */
            video_url: string | null;
            /**
             * Format: date-time
             * @description Null: unknown
             */
            video_url_expires_at: string | null;
            thumbnail_url: string | null;
            /** @description The duration of the finished video */
            duration_seconds: number | null;
            /** @description The duration that the backend estimates before it makes the video */
            duration_estimate_seconds: number | null;
            /** @description The link to keep. It needs no key, stays valid, and redirects to a fresh signed link */
            content_url: string;
            /** @description A stream of this video for the `EventSource` of a browser. It needs no key: anyone who has the link can follow the video */
            events_url: string;
            /** @description Null unless the video failed */
            error: {
                /** @description `backend_failed`, `backend_job_lost`, `backend_job_expired`, `video_url_missing`, `create_outcome_unknown`, or the code of the refusal */
                code: string;
                message: string;
                /** @description True: the same request may succeed later, as a new video */
                retryable: boolean;
                backend_error: components["schemas"]["BackendError"] | null;
            } | null;
            /** @description Null if the backend reports none */
            credits: {
                charged: number | null;
                remaining: number | null;
            } | null;
            /** @description Options that the backend does not have and the gateway left out, with `unsupported: warn` */
            warnings: {
                /** @constant */
                code: "option_ignored";
                param: string;
                message: string;
            }[];
            /** @description As you gave it */
            metadata: {
                [key: string]: string;
            };
            /** @description As you gave it */
            webhook_url: string | null;
            /** @description The backend's own status, word for word */
            backend_status: string | null;
            /** @description Why this backend makes the video */
            routing: {
                /** @enum {string} */
                chosen_by: "request" | "id" | "rule" | "default" | "failover";
                /** @description The rule of the configuration that decided; null: no rule decided */
                rule: string | null;
                considered: {
                    backend: string;
                    /** @enum {string} */
                    verdict: "chosen" | "passed_over";
                    reason: string | null;
                }[];
            };
            /** @description The failed video (`create_outcome_unknown`) that this video replaces */
            replaces: string | null;
            /** @description The video that an operator made from its job, after this video failed */
            replaced_by: string | null;
            /** @description Set only while the video waits in the gateway */
            queue: {
                /** @description 1 is the next video */
                position: number;
                /** @description Why it waits, such as `no_free_slot` */
                reason: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the gateway sent it to the backend
             */
            dispatched_at: string | null;
            /**
             * Format: date-time
             * @description When the video ended
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When the gateway polls next; null after the end
             */
            next_poll_at: string | null;
            /** @description Present only with `expand=timeline` */
            timeline?: {
                /** Format: date-time */
                at: string;
                type: string;
                detail: string | null;
            }[];
        };
        VideoList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Video"][];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        AdminVideo: {
            /** @description `vid_…` */
            id: string;
            /** @constant */
            object: "video";
            /**
             * @description `completed`, `failed` and `canceled` are terminal: they never change
             * @enum {string}
             */
            status: "queued" | "processing" | "completed" | "failed" | "canceled";
            /** @description 0 to 1; null if the backend reports none */
            progress: number | null;
            /** @description The backend that makes the video */
            backend: string;
            /**
             * @description The API of that backend; new values may come
             * @example primary
             * @example alternate
             */
            interface: string;
            /** @description The backend's id of the job; null until the backend accepted it */
            backend_job_id: string | null;
            /**
             * @description What the video is made from
             * @enum {string}
             */
            source: "text" | "audio" | "import";
            /** @description The request; null where you gave nothing. You can send it again as it is. Of a video that was canceled before it was sent, nothing is stored: every field is null */
            input: {
                image_url: string | null;
                puppet_id: string | null;
                text: string | null;
                audio_url: string | null;
                upload_id: string | null;
                voice_id: string | null;
                language: string | null;
                expressiveness: number | null;
                /** @enum {string|null} */
                resolution: "720p" | "1080p" | null;
            };
            /** @description The backend's signed link; null before completion and after it expired */
            video_url: string | null;
            /**
             * Format: date-time
             * @description Null: unknown
             */
            video_url_expires_at: string | null;
            thumbnail_url: string | null;
            /** @description The duration of the finished video */
            duration_seconds: number | null;
            /** @description The duration that the backend estimates before it makes the video */
            duration_estimate_seconds: number | null;
            /** @description The link to keep. It needs no key, stays valid, and redirects to a fresh signed link */
            content_url: string;
            /** @description A stream of this video for the `EventSource` of a browser. It needs no key: anyone who has the link can follow the video */
            events_url: string;
            /** @description Null unless the video failed */
            error: {
                /** @description `backend_failed`, `backend_job_lost`, `backend_job_expired`, `video_url_missing`, `create_outcome_unknown`, or the code of the refusal */
                code: string;
                message: string;
                /** @description True: the same request may succeed later, as a new video */
                retryable: boolean;
                backend_error: components["schemas"]["BackendError"] | null;
            } | null;
            /** @description Null if the backend reports none */
            credits: {
                charged: number | null;
                remaining: number | null;
            } | null;
            /** @description Options that the backend does not have and the gateway left out, with `unsupported: warn` */
            warnings: {
                /** @constant */
                code: "option_ignored";
                param: string;
                message: string;
            }[];
            /** @description As you gave it */
            metadata: {
                [key: string]: string;
            };
            /** @description As you gave it */
            webhook_url: string | null;
            /** @description The backend's own status, word for word */
            backend_status: string | null;
            /** @description Why this backend makes the video */
            routing: {
                /** @enum {string} */
                chosen_by: "request" | "id" | "rule" | "default" | "failover";
                /** @description The rule of the configuration that decided; null: no rule decided */
                rule: string | null;
                considered: {
                    backend: string;
                    /** @enum {string} */
                    verdict: "chosen" | "passed_over";
                    reason: string | null;
                }[];
            };
            /** @description The failed video (`create_outcome_unknown`) that this video replaces */
            replaces: string | null;
            /** @description The video that an operator made from its job, after this video failed */
            replaced_by: string | null;
            /** @description Set only while the video waits in the gateway */
            queue: {
                /** @description 1 is the next video */
                position: number;
                /** @description Why it waits, such as `no_free_slot` */
                reason: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the gateway sent it to the backend
             */
            dispatched_at: string | null;
            /**
             * Format: date-time
             * @description When the video ended
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When the gateway polls next; null after the end
             */
            next_poll_at: string | null;
            /** @description The client that owns it */
            client: string;
            /** @description Null unless the create is in doubt, or the gateway gave it up as unknown */
            doubt: {
                /** @description False: the gateway gave up */
                open: boolean;
                /** @description The attempt whose outcome is unknown. Send it with `absent` */
                attempt: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds
                 */
                since: string | null;
                /** @description Jobs in the backend's list that this create may have made */
                candidates: string[];
                /** @description What is known until now */
                evidence: {
                    /** @description The latest readings of the backend's list, at most four */
                    walks: {
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, milliseconds
                         */
                        at: string;
                        /** @description The number of jobs in the list; null: the list was incomplete, so it proves nothing */
                        jobs: number | null;
                    }[];
                    /** @description Jobs that callbacks named, in the order of the callbacks. `duplicate`: a second job of this video */
                    named: {
                        job_id: string;
                        /** @enum {string} */
                        state: "pending" | "read" | "duplicate";
                    }[];
                    /** @description How often the gateway sent the create again */
                    resends: number;
                };
                /**
                 * Format: date-time
                 * @description When an operator said that there is no job, after the gateway gave up
                 */
                resolved_at: string | null;
            } | null;
        };
        AdminVideoWithTimeline: {
            /** @description `vid_…` */
            id: string;
            /** @constant */
            object: "video";
            /**
             * @description `completed`, `failed` and `canceled` are terminal: they never change
             * @enum {string}
             */
            status: "queued" | "processing" | "completed" | "failed" | "canceled";
            /** @description 0 to 1; null if the backend reports none */
            progress: number | null;
            /** @description The backend that makes the video */
            backend: string;
            /**
             * @description The API of that backend; new values may come
             * @example primary
             * @example alternate
             */
            interface: string;
            /** @description The backend's id of the job; null until the backend accepted it */
            backend_job_id: string | null;
            /**
             * @description What the video is made from
             * @enum {string}
             */
            source: "text" | "audio" | "import";
            /** @description The request; null where you gave nothing. You can send it again as it is. Of a video that was canceled before it was sent, nothing is stored: every field is null */
            input: {
                image_url: string | null;
                puppet_id: string | null;
                text: string | null;
                audio_url: string | null;
                upload_id: string | null;
                voice_id: string | null;
                language: string | null;
                expressiveness: number | null;
                /** @enum {string|null} */
                resolution: "720p" | "1080p" | null;
            };
            /** @description The backend's signed link; null before completion and after it expired */
            video_url: string | null;
            /**
             * Format: date-time
             * @description Null: unknown
             */
            video_url_expires_at: string | null;
            thumbnail_url: string | null;
            /** @description The duration of the finished video */
            duration_seconds: number | null;
            /** @description The duration that the backend estimates before it makes the video */
            duration_estimate_seconds: number | null;
            /** @description The link to keep. It needs no key, stays valid, and redirects to a fresh signed link */
            content_url: string;
            /** @description A stream of this video for the `EventSource` of a browser. It needs no key: anyone who has the link can follow the video */
            events_url: string;
            /** @description Null unless the video failed */
            error: {
                /** @description `backend_failed`, `backend_job_lost`, `backend_job_expired`, `video_url_missing`, `create_outcome_unknown`, or the code of the refusal */
                code: string;
                message: string;
                /** @description True: the same request may succeed later, as a new video */
                retryable: boolean;
                backend_error: components["schemas"]["BackendError"] | null;
            } | null;
            /** @description Null if the backend reports none */
            credits: {
                charged: number | null;
                remaining: number | null;
            } | null;
            /** @description Options that the backend does not have and the gateway left out, with `unsupported: warn` */
            warnings: {
                /** @constant */
                code: "option_ignored";
                param: string;
                message: string;
            }[];
            /** @description As you gave it */
            metadata: {
                [key: string]: string;
            };
            /** @description As you gave it */
            webhook_url: string | null;
            /** @description The backend's own status, word for word */
            backend_status: string | null;
            /** @description Why this backend makes the video */
            routing: {
                /** @enum {string} */
                chosen_by: "request" | "id" | "rule" | "default" | "failover";
                /** @description The rule of the configuration that decided; null: no rule decided */
                rule: string | null;
                considered: {
                    backend: string;
                    /** @enum {string} */
                    verdict: "chosen" | "passed_over";
                    reason: string | null;
                }[];
            };
            /** @description The failed video (`create_outcome_unknown`) that this video replaces */
            replaces: string | null;
            /** @description The video that an operator made from its job, after this video failed */
            replaced_by: string | null;
            /** @description Set only while the video waits in the gateway */
            queue: {
                /** @description 1 is the next video */
                position: number;
                /** @description Why it waits, such as `no_free_slot` */
                reason: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the gateway sent it to the backend
             */
            dispatched_at: string | null;
            /**
             * Format: date-time
             * @description When the video ended
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When the gateway polls next; null after the end
             */
            next_poll_at: string | null;
            /** @description The client that owns it */
            client: string;
            /** @description Null unless the create is in doubt, or the gateway gave it up as unknown */
            doubt: {
                /** @description False: the gateway gave up */
                open: boolean;
                /** @description The attempt whose outcome is unknown. Send it with `absent` */
                attempt: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds
                 */
                since: string | null;
                /** @description Jobs in the backend's list that this create may have made */
                candidates: string[];
                /** @description What is known until now */
                evidence: {
                    /** @description The latest readings of the backend's list, at most four */
                    walks: {
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, milliseconds
                         */
                        at: string;
                        /** @description The number of jobs in the list; null: the list was incomplete, so it proves nothing */
                        jobs: number | null;
                    }[];
                    /** @description Jobs that callbacks named, in the order of the callbacks. `duplicate`: a second job of this video */
                    named: {
                        job_id: string;
                        /** @enum {string} */
                        state: "pending" | "read" | "duplicate";
                    }[];
                    /** @description How often the gateway sent the create again */
                    resends: number;
                };
                /**
                 * Format: date-time
                 * @description When an operator said that there is no job, after the gateway gave up
                 */
                resolved_at: string | null;
            } | null;
            /** @description Present only with `expand=timeline` */
            timeline?: {
                /** Format: date-time */
                at: string;
                type: string;
                detail: string | null;
            }[];
        };
        AdminVideoList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["AdminVideo"][];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        AdminEventList: {
            /** @constant */
            object: "list";
            data: {
                /** @description `evt_…`: the `webhook-id` of every attempt to deliver it */
                id: string;
                /** @constant */
                object: "event";
                /** @enum {string} */
                type: "video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning" | "endpoint.disabled" | "routing.stopped";
                /**
                 * Format: date-time
                 * @description When it happened
                 */
                timestamp: string;
                video_id: string | null;
                /** @description The data that was sent: see the webhook of this type */
                data: {
                    [key: string]: unknown;
                };
                /** @description The client that owns it */
                client: string;
            }[];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        AdminDeliveryList: {
            /** @constant */
            object: "list";
            data: {
                /** @description `dlv_…` */
                id: string;
                /** @constant */
                object: "delivery";
                event_id: string;
                /** @enum {string} */
                event_type: "video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning" | "endpoint.disabled" | "routing.stopped";
                /**
                 * Format: date-time
                 * @description When the event happened
                 */
                event_at: string;
                video_id: string | null;
                target: {
                    /** @enum {string} */
                    kind: "webhook_url" | "endpoint";
                    endpoint_id: string | null;
                    url: string;
                };
                /**
                 * @description `held`: it waits because its endpoint is disabled
                 * @enum {string}
                 */
                status: "pending" | "delivered" | "failed" | "held";
                attempt_count: number;
                /** Format: date-time */
                next_attempt_at: string | null;
                /** @description Present only with `expand=attempts`. The latest 20, oldest first */
                attempts?: {
                    /** Format: date-time */
                    at: string;
                    duration_ms: number;
                    /** @description Null: no complete answer came */
                    status: number | null;
                    error: string | null;
                    /** @description At most 1,000 characters; getDelivery shows more. Null except in the latest 5 attempts */
                    response_body: string | null;
                    /** Format: date-time */
                    next_attempt_at: string | null;
                }[];
                /** @description The client that owns it */
                client: string;
            }[];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        AdminDeliveryWithAttempts: {
            /** @description `dlv_…` */
            id: string;
            /** @constant */
            object: "delivery";
            event_id: string;
            /** @enum {string} */
            event_type: "video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning" | "endpoint.disabled" | "routing.stopped";
            /**
             * Format: date-time
             * @description When the event happened
             */
            event_at: string;
            video_id: string | null;
            target: {
                /** @enum {string} */
                kind: "webhook_url" | "endpoint";
                endpoint_id: string | null;
                url: string;
            };
            /**
             * @description `held`: it waits because its endpoint is disabled
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "held";
            attempt_count: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description What the latest attempt sent, or what the first one will send. The URL is the one that the target has now */
            request: {
                /** @constant */
                method: "POST";
                url: string;
                /** @description Signatures are masked. Without `webhook-timestamp`: there was no attempt yet */
                headers: {
                    [key: string]: string;
                };
                /** @description The exact bytes */
                body: string;
            };
            /** @description The latest 100, oldest first */
            attempts: {
                /** Format: date-time */
                at: string;
                duration_ms: number;
                /** @description Null: no complete answer came */
                status: number | null;
                error: string | null;
                /** @description At most 16 KiB. Null except in the latest 5 attempts */
                response_body: string | null;
                /** Format: date-time */
                next_attempt_at: string | null;
            }[];
            /** @description The client that owns it */
            client: string;
        };
        AdminEndpointDetail: {
            /** @description `we_…` */
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            url: string;
            /** @description The events that it receives. `endpoint.disabled` of your other endpoints and `routing.stopped` need no subscription */
            events: ("video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning")[];
            description: string | null;
            enabled: boolean;
            /**
             * @description `client`: you disabled it; `gone`: it answered 410; `failures`: 100 attempts failed in a row; `failing`: all attempts failed for 120 hours
             * @enum {string|null}
             */
            disabled_reason: "client" | "gone" | "failures" | "failing" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /** @description Failed attempts since the last success */
            failures: number;
            /** Format: date-time */
            failing_since: string | null;
            /** @description Terminal events that wait until the endpoint is enabled */
            held: number;
            /**
             * Format: date-time
             * @description When it last answered 2xx, to the minute; null: never
             */
            last_delivered_at: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed; null: never
             */
            last_failed_at: string | null;
            /**
             * Format: date-time
             * @description Until then the gateway also signs events with an old secret; null: only with the newest
             */
            old_secret_expires_at: string | null;
            /** @description Your latest replay; null: none, or it found no event */
            replay: {
                /** Format: date-time */
                since: string;
                /** Format: date-time */
                until: string;
                only_failed: boolean;
                /** Format: date-time */
                asked_at: string;
                /** @description How many events the gateway found when you asked */
                events: number;
                /** @description How many of them are due or sent. The gateway sends them as fast as the endpoint accepts them */
                queued: number;
                /**
                 * Format: date-time
                 * @description When the last of them became due, or when the endpoint was disabled, which ends the replay; null: it continues
                 */
                ended_at: string | null;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Deliveries that wait for an attempt, counted up to 10,000. After a replay it shows what is still to be sent */
            pending: number;
            /** @description The client that owns it */
            client: string;
        };
        AdminEndpointList: {
            /** @constant */
            object: "list";
            data: {
                /** @description `we_…` */
                id: string;
                /** @constant */
                object: "webhook_endpoint";
                url: string;
                /** @description The events that it receives. `endpoint.disabled` of your other endpoints and `routing.stopped` need no subscription */
                events: ("video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning")[];
                description: string | null;
                enabled: boolean;
                /**
                 * @description `client`: you disabled it; `gone`: it answered 410; `failures`: 100 attempts failed in a row; `failing`: all attempts failed for 120 hours
                 * @enum {string|null}
                 */
                disabled_reason: "client" | "gone" | "failures" | "failing" | null;
                /** Format: date-time */
                disabled_at: string | null;
                /** @description Failed attempts since the last success */
                failures: number;
                /** Format: date-time */
                failing_since: string | null;
                /** @description Terminal events that wait until the endpoint is enabled */
                held: number;
                /**
                 * Format: date-time
                 * @description When it last answered 2xx, to the minute; null: never
                 */
                last_delivered_at: string | null;
                /**
                 * Format: date-time
                 * @description When an attempt last failed; null: never
                 */
                last_failed_at: string | null;
                /**
                 * Format: date-time
                 * @description Until then the gateway also signs events with an old secret; null: only with the newest
                 */
                old_secret_expires_at: string | null;
                /** @description Your latest replay; null: none, or it found no event */
                replay: {
                    /** Format: date-time */
                    since: string;
                    /** Format: date-time */
                    until: string;
                    only_failed: boolean;
                    /** Format: date-time */
                    asked_at: string;
                    /** @description How many events the gateway found when you asked */
                    events: number;
                    /** @description How many of them are due or sent. The gateway sends them as fast as the endpoint accepts them */
                    queued: number;
                    /**
                     * Format: date-time
                     * @description When the last of them became due, or when the endpoint was disabled, which ends the replay; null: it continues
                     */
                    ended_at: string | null;
                } | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
                /** @description The client that owns it */
                client: string;
            }[];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        ClientUsageList: {
            /** @constant */
            object: "list";
            data: {
                /** @constant */
                object: "client_usage";
                /** @description A month in UTC, such as `2026-11` */
                month: string;
                client: string;
                /** @description Null: what belongs to no backend. These are the client's requests, and videos that were removed before the gateway counted by backend */
                backend: string | null;
                /** @description Videos created in this month, by their status now */
                videos: {
                    queued: number;
                    processing: number;
                    completed: number;
                    failed: number;
                    canceled: number;
                };
                /** @description What these videos cost, as far as the backend reported it */
                credits_charged: number;
                /** @description The client's requests to the gateway. Null in rows of a backend, because a request belongs to no backend */
                requests: number | null;
            }[];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        BackendVideo: {
            /** @constant */
            object: "backend_video";
            backend: string;
            /** @description The backend's own id. Give it to importVideo */
            backend_job_id: string;
            /**
             * @description Null: the gateway does not know the backend's status
             * @enum {string|null}
             */
            status: "queued" | "processing" | "completed" | "failed" | "canceled" | null;
            /** @description `<backend>:<native id>` */
            puppet_id: string | null;
            /** Format: date-time */
            created_at: string | null;
            /** @description Your video of this job; null: you have none */
            video_id: string | null;
        };
        BackendVideoList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["BackendVideo"][];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        /** @description Jobs of the backend only with `origin=backend` */
        VideoListOfOrigin: components["schemas"]["VideoList"] | components["schemas"]["BackendVideoList"];
        Download: {
            /** @description The backend's signed link */
            download_url: string;
            /**
             * Format: date-time
             * @description Null: unknown
             */
            expires_at: string | null;
        };
        Check: {
            /** @constant */
            object: "check";
            /** @description The backend that would make the video; null: none can */
            chosen: string | null;
            /** @description Why this backend; null: none can */
            routing: {
                /** @enum {string} */
                chosen_by: "request" | "id" | "rule" | "default" | "failover";
                /** @description The rule of the configuration that decided; null: no rule decided */
                rule: string | null;
                considered: {
                    backend: string;
                    /** @enum {string} */
                    verdict: "chosen" | "passed_over";
                    reason: string | null;
                }[];
            } | null;
            backends: {
                backend: string;
                /**
                 * @description `unavailable`: the backend can make it, but not now
                 * @enum {string}
                 */
                verdict: "ok" | "warn" | "unsupported" | "unavailable";
                /** @description What would be lost, or is not certain */
                warnings: {
                    /**
                     * @description `not_verified`: the gateway would have to ask the backend whether it has this
                     * @enum {string}
                     */
                    code: "option_ignored" | "not_verified";
                    param: string;
                    message: string;
                }[];
                problem: {
                    code: string;
                    param: string | null;
                    message: string;
                } | null;
                request: {
                    method: string;
                    path: string;
                    headers: {
                        [key: string]: string;
                    };
                    body: unknown;
                } | null;
            }[];
        };
        Voice: {
            /** @description `<backend>:<native id>`: the backend's name and its own id */
            id: string;
            /** @constant */
            object: "voice";
            backend: string;
            name: string | null;
            provider: string | null;
            /** @description The name of the language, for display */
            language: string | null;
            /** @description A language tag (BCP 47), such as `en-GB` */
            language_code: string | null;
            /** @description In lower case */
            gender: string | null;
            /** @description An absolute URL */
            preview_url: string | null;
        };
        VoiceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Voice"][];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        Puppet: {
            /** @description `<backend>:<native id>`: the backend's name and its own id */
            id: string;
            /** @constant */
            object: "puppet";
            backend: string;
            name: string | null;
            /**
             * @description `stock`: it comes with the backend; `custom`: somebody in the workspace saved it
             * @enum {string}
             */
            type: "stock" | "custom";
            image_url: string | null;
            thumbnail_url: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string | null;
        };
        PuppetList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Puppet"][];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        Speech: {
            /** @constant */
            object: "speech";
            /** @description A signed URL that expires soon */
            audio_url: string;
            /** Format: date-time */
            expires_at: string | null;
            duration_seconds: number | null;
            content_type: string | null;
        };
        Upload: {
            /** @description `upl_…` */
            id: string;
            /** @constant */
            object: "upload";
            backend: string;
            /** @description Send the file here. It goes directly to storage */
            upload_url: string;
            /** @constant */
            method: "PUT";
            /** @description The headers that your PUT must have */
            headers: {
                [key: string]: string;
            };
            audio_url: string;
            /** Format: date-time */
            expires_at: string | null;
        };
        Usage: {
            /** @constant */
            object: "usage";
            backends: {
                backend: string;
                credits_remaining: number | null;
                credits_used_month: number | null;
                credits_included: number | null;
                credits_purchased: number | null;
                checkout_available: boolean | null;
                /** @description Opaque: as the backend sends them */
                credit_packs: unknown[] | null;
                /** @description True: the backend would accept a create now */
                can_create: boolean | null;
                blocked_reason: string | null;
                /** Format: date-time */
                retry_at: string | null;
                active_jobs: number | null;
                free_slots: number | null;
                requests: {
                    limit: number;
                    remaining: number;
                    /** Format: date-time */
                    resets_at: string | null;
                };
            }[];
            client: {
                month: string;
                videos: {
                    queued: number;
                    processing: number;
                    completed: number;
                    failed: number;
                    canceled: number;
                };
                credits_charged: number;
                requests: number;
                /** @description Your limits for a month; null: no limit */
                limits: {
                    videos_per_month: number | null;
                    credits_per_month: number | null;
                };
            };
        };
        Backend: {
            /** @constant */
            object: "backend";
            name: string;
            /**
             * @description The API of that backend; new values may come
             * @example primary
             * @example alternate
             */
            interface: string;
            health: {
                /** @enum {string} */
                status: "up" | "degraded" | "down";
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds
                 */
                since: string | null;
                reason: string | null;
            };
            /** @description What the gateway can do with this backend */
            capabilities: {
                [key: string]: boolean;
            };
            limits: {
                /** @description The longest text that it accepts, in characters; null: it states no limit */
                text_characters: number | null;
            };
            /** @description Requests to the backend in the current rate-limit window */
            budget: {
                limit: number;
                remaining: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds
                 */
                resets_at: string | null;
            };
            /** @description Jobs that run at the same time; a null `limit` means no limit */
            slots: {
                limit: number | null;
                used: number;
            };
            /** @description Videos that wait in the gateway for this backend */
            queue_depth: number;
            /** @description The replica that sends and polls for this backend now; null: none */
            held_by: string | null;
        };
        BackendList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Backend"][];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        BackendDetail: {
            /** @constant */
            object: "backend";
            name: string;
            /**
             * @description The API of that backend; new values may come
             * @example primary
             * @example alternate
             */
            interface: string;
            health: {
                /** @enum {string} */
                status: "up" | "degraded" | "down";
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds
                 */
                since: string | null;
                reason: string | null;
            };
            /** @description What the gateway can do with this backend */
            capabilities: {
                [key: string]: boolean;
            };
            limits: {
                /** @description The longest text that it accepts, in characters; null: it states no limit */
                text_characters: number | null;
            };
            /** @description Requests to the backend in the current rate-limit window */
            budget: {
                limit: number;
                remaining: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds
                 */
                resets_at: string | null;
            };
            /** @description Jobs that run at the same time; a null `limit` means no limit */
            slots: {
                limit: number | null;
                used: number;
            };
            /** @description Videos that wait in the gateway for this backend */
            queue_depth: number;
            /** @description The replica that sends and polls for this backend now; null: none */
            held_by: string | null;
            /** @description More facts about `budget` */
            window: {
                /** @description The length of a window */
                seconds: number;
                /**
                 * Format: date-time
                 * @description When the gateway may send the next poll; null: now
                 */
                next_request_at: string | null;
                /**
                 * Format: date-time
                 * @description When the gateway may send the next create; null: now
                 */
                next_create_at: string | null;
            };
            /** @description While the breaker is open, the gateway sends the backend nothing, because it did not answer */
            breaker: {
                open: boolean;
                /**
                 * Format: date-time
                 * @description When the gateway tries one request; null: the breaker is closed
                 */
                retry_at: string | null;
            };
            /** @description The first 20 videos that wait. You see your own; operators see those of all clients */
            queue: {
                position: number;
                video_id: string;
                /** @description The client that owns it. Only operators see it */
                client: string | null;
                backend: string;
                /** @enum {string} */
                reason: "no_free_slot" | "no_budget" | "backend_rate_limited" | "backend_unavailable" | "audio_transfer";
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description How long jobs ran. The gateway uses this to choose when to poll */
            learned: {
                /**
                 * @description What the videos were made from. Imported videos are polled as `text`
                 * @enum {string}
                 */
                source: "text" | "audio";
                /** @description The number of remembered durations: at most the latest 1000 */
                videos: number;
                /** @description Null: the gateway remembers none */
                seconds: {
                    p50: number;
                    p95: number;
                    longest: number;
                } | null;
                /** @description Seconds from accepted to ended, in equal steps. The last step may have no upper end */
                histogram: {
                    from: number;
                    /** @description Null: no upper end */
                    to: number | null;
                    videos: number;
                }[];
                /** @description When the gateway would poll a job that is accepted now and reports no progress. At most 40 */
                polls: {
                    /** @description Seconds after the job was accepted */
                    after: number;
                    /** @description The share of jobs that should still run then */
                    running: number;
                }[];
                /** @description The price of a poll now: the gateway polls when the expected lateness reaches this value */
                lateness: number;
            }[];
            /** @description False: another replica polls (`held_by`). It may know up to 10 more videos, and have another price */
            learned_here: boolean;
            /** @description What the backend sent and its contract does not have */
            drift: {
                kinds: number;
                /** @description The 20 newest kinds, by the time when each was first seen; `getDrift` lists all */
                latest: components["schemas"]["Drift"][];
            };
        };
        Overview: {
            /** @constant */
            object: "overview";
            /**
             * Format: date-time
             * @description The time of this answer
             */
            at: string;
            /** @description The client that the answer is about; null: all clients */
            client: string | null;
            /** @description Videos that are open now */
            videos: {
                /** @description Videos that wait in the gateway for a slot, a request, or their audio */
                waiting: number;
                /** @description Videos that are at their backend, or on the way there, and have not started */
                queued: number;
                processing: number;
                /** @description The `queued` videos whose create is in doubt. Only operators see it */
                doubtful: number | null;
                /** @description False: `processing` is more than the count */
                complete: boolean;
            };
            /** @description Videos that ended in the last 24 hours */
            ended: {
                /**
                 * Format: date-time
                 * @description The start of the hour 23 hours ago
                 */
                since: string;
                completed: number;
                failed: number;
                canceled: number;
                /** @description 24 hours in UTC, the oldest first */
                hours: {
                    /** Format: date-time */
                    from: string;
                    completed: number;
                    failed: number;
                    canceled: number;
                }[];
                /** @description False: in some hour more ended than are counted, which is 10,000 for each status */
                complete: boolean;
            };
            /** @description How late the gateway noticed ends, at most: `timing.uncertainty_ms` of the events */
            detection: {
                /** @description The number of measured videos, the latest of the 24 hours */
                videos: number;
                seconds: {
                    p50: number;
                    p95: number;
                } | null;
            };
            /** @description Deliveries of events of the last 24 hours */
            deliveries: {
                delivered: number;
                /** @description Deliveries that the gateway gave up */
                failed: number;
                /** @description Deliveries that are due or wait for a retry, of any age */
                pending: number;
                /** @description Deliveries that wait for a disabled endpoint, of any age */
                held: number;
                /** @description False: only the latest are counted */
                complete: boolean;
            };
            /** @description The problems that still exist, then those of the last 7 days, the latest first. At most 10 of each kind */
            troubles: {
                /** @enum {string} */
                type: "backend_unwell" | "split_stopped" | "create_in_doubt" | "endpoint_disabled" | "video_failed" | "delivery_failed";
                /**
                 * Format: date-time
                 * @description When it happened or began; null: unknown
                 */
                at: string | null;
                /** @description True: the problem still exists. False: it happened and is over */
                standing: boolean;
                /** @description The client that it belongs to; null: all clients. Only operators see it */
                client: string | null;
                backend: string | null;
                video_id: string | null;
                delivery_id: string | null;
                endpoint_id: string | null;
                /** @description The rule of the split */
                rule: string | null;
                /** @description For programs: the code of a video’s error, or why an endpoint is disabled or a backend is not healthy */
                code: string | null;
                /** @description A message of the gateway or of a backend, in plain text */
                message: string | null;
            }[];
        };
        Drift: {
            /** @enum {string} */
            kind: "status" | "error_code" | "field";
            operation: string;
            /** @description The status, code or field that the contract does not have */
            value: string;
            count: number;
            /** Format: date-time */
            first_seen: string;
            /** Format: date-time */
            last_seen: string;
            sample: string | null;
        };
        DriftList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Drift"][];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        MigrationReport: {
            /** @constant */
            object: "migration_report";
            from: string;
            to: string;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
            /** @description Videos whose requests were checked */
            videos: number;
            /** @description Imported videos. They have no request to check */
            imported: number;
            verdicts: {
                untouched: number;
                warnings: number;
                not_at_all: number;
                unverified: number;
            };
            /** @description The catalogues of both backends, the old one first */
            catalogues: {
                backend: string;
                /** @description Null: the gateway could not read the catalogue */
                voices: number | null;
                puppets: number | null;
                /** @description The code of the problem when the gateway could not read it */
                problem: string | null;
            }[];
            losses: {
                /** @description The code that the client would get; `option_ignored` for a warning */
                code: string;
                field: string | null;
                /** @enum {string} */
                verdict: "untouched" | "warnings" | "not_at_all" | "unverified";
                videos: number;
                share: number;
                example: string;
            }[];
            unverified: {
                field: string;
                videos: number;
            }[];
            clients: {
                client: string;
                videos: number;
                verdicts: {
                    untouched: number;
                    warnings: number;
                    not_at_all: number;
                    unverified: number;
                };
            }[];
            /** @description Videos of clients that are not in the list */
            other_clients: number;
            /** @description Videos whose request names the old backend in `backend` or by an id. Rules do not move these */
            pinned: {
                request: number;
                id: number;
            };
            /** @description Videos without a voice. Each service uses its own default voice */
            default_voices: number;
            lacking: {
                /** @enum {string} */
                kind: "voice" | "puppet" | "image";
                /** @description The id on the old backend, or an image URL */
                id: string;
                name: string | null;
                language: string | null;
                gender: string | null;
                videos: number;
                candidates: {
                    id: string;
                    name: string | null;
                    language: string | null;
                    gender: string | null;
                    score: number;
                    why: string;
                }[];
                /** @description Its name in `aliases`; null: it is there only as a comment */
                alias: string | null;
            }[];
            /** @description Videos whose voice or portrait is not in the list */
            other_lacking: {
                voices: number;
                portraits: number;
            };
            /** @description The whole section `aliases` of the configuration, in YAML. Paste it */
            aliases: string;
            /** @description `dropped` counts from the start of the process */
            shadow: {
                videos: number;
                verdicts: {
                    untouched: number;
                    warnings: number;
                    not_at_all: number;
                    unverified: number;
                };
                dropped: number;
            };
            /** @description What happened on the new backend in the same time */
            observed: {
                videos: number;
                refused: number;
                failed: number;
            };
            compared: {
                /** @description The code that the client would get; `option_ignored` for a warning */
                code: string;
                field: string | null;
                /** @description The share of the recorded requests */
                predicted: number;
                /** @description The share of the shadows; null: there are none */
                shadowed: number | null;
                /** @description The share of the requests that the new backend got since then; null: it got none */
                observed: number | null;
                warned: number;
                refused: number;
                failed: number;
            }[];
        };
        WebhookSecret: {
            /** @constant */
            object: "webhook_secret";
            /** @description `whsec_…`, the format of Standard Webhooks libraries */
            secret: string;
        };
        WebhookEndpoint: {
            /** @description `we_…` */
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            url: string;
            /** @description The events that it receives. `endpoint.disabled` of your other endpoints and `routing.stopped` need no subscription */
            events: ("video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning")[];
            description: string | null;
            enabled: boolean;
            /**
             * @description `client`: you disabled it; `gone`: it answered 410; `failures`: 100 attempts failed in a row; `failing`: all attempts failed for 120 hours
             * @enum {string|null}
             */
            disabled_reason: "client" | "gone" | "failures" | "failing" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /** @description Failed attempts since the last success */
            failures: number;
            /** Format: date-time */
            failing_since: string | null;
            /** @description Terminal events that wait until the endpoint is enabled */
            held: number;
            /**
             * Format: date-time
             * @description When it last answered 2xx, to the minute; null: never
             */
            last_delivered_at: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed; null: never
             */
            last_failed_at: string | null;
            /**
             * Format: date-time
             * @description Until then the gateway also signs events with an old secret; null: only with the newest
             */
            old_secret_expires_at: string | null;
            /** @description Your latest replay; null: none, or it found no event */
            replay: {
                /** Format: date-time */
                since: string;
                /** Format: date-time */
                until: string;
                only_failed: boolean;
                /** Format: date-time */
                asked_at: string;
                /** @description How many events the gateway found when you asked */
                events: number;
                /** @description How many of them are due or sent. The gateway sends them as fast as the endpoint accepts them */
                queued: number;
                /**
                 * Format: date-time
                 * @description When the last of them became due, or when the endpoint was disabled, which ends the replay; null: it continues
                 */
                ended_at: string | null;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookEndpointDetail: {
            /** @description `we_…` */
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            url: string;
            /** @description The events that it receives. `endpoint.disabled` of your other endpoints and `routing.stopped` need no subscription */
            events: ("video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning")[];
            description: string | null;
            enabled: boolean;
            /**
             * @description `client`: you disabled it; `gone`: it answered 410; `failures`: 100 attempts failed in a row; `failing`: all attempts failed for 120 hours
             * @enum {string|null}
             */
            disabled_reason: "client" | "gone" | "failures" | "failing" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /** @description Failed attempts since the last success */
            failures: number;
            /** Format: date-time */
            failing_since: string | null;
            /** @description Terminal events that wait until the endpoint is enabled */
            held: number;
            /**
             * Format: date-time
             * @description When it last answered 2xx, to the minute; null: never
             */
            last_delivered_at: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed; null: never
             */
            last_failed_at: string | null;
            /**
             * Format: date-time
             * @description Until then the gateway also signs events with an old secret; null: only with the newest
             */
            old_secret_expires_at: string | null;
            /** @description Your latest replay; null: none, or it found no event */
            replay: {
                /** Format: date-time */
                since: string;
                /** Format: date-time */
                until: string;
                only_failed: boolean;
                /** Format: date-time */
                asked_at: string;
                /** @description How many events the gateway found when you asked */
                events: number;
                /** @description How many of them are due or sent. The gateway sends them as fast as the endpoint accepts them */
                queued: number;
                /**
                 * Format: date-time
                 * @description When the last of them became due, or when the endpoint was disabled, which ends the replay; null: it continues
                 */
                ended_at: string | null;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Deliveries that wait for an attempt, counted up to 10,000. After a replay it shows what is still to be sent */
            pending: number;
        };
        WebhookEndpointWithSecret: {
            /** @description `we_…` */
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            url: string;
            /** @description The events that it receives. `endpoint.disabled` of your other endpoints and `routing.stopped` need no subscription */
            events: ("video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning")[];
            description: string | null;
            enabled: boolean;
            /**
             * @description `client`: you disabled it; `gone`: it answered 410; `failures`: 100 attempts failed in a row; `failing`: all attempts failed for 120 hours
             * @enum {string|null}
             */
            disabled_reason: "client" | "gone" | "failures" | "failing" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /** @description Failed attempts since the last success */
            failures: number;
            /** Format: date-time */
            failing_since: string | null;
            /** @description Terminal events that wait until the endpoint is enabled */
            held: number;
            /**
             * Format: date-time
             * @description When it last answered 2xx, to the minute; null: never
             */
            last_delivered_at: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed; null: never
             */
            last_failed_at: string | null;
            /**
             * Format: date-time
             * @description Until then the gateway also signs events with an old secret; null: only with the newest
             */
            old_secret_expires_at: string | null;
            /** @description Your latest replay; null: none, or it found no event */
            replay: {
                /** Format: date-time */
                since: string;
                /** Format: date-time */
                until: string;
                only_failed: boolean;
                /** Format: date-time */
                asked_at: string;
                /** @description How many events the gateway found when you asked */
                events: number;
                /** @description How many of them are due or sent. The gateway sends them as fast as the endpoint accepts them */
                queued: number;
                /**
                 * Format: date-time
                 * @description When the last of them became due, or when the endpoint was disabled, which ends the replay; null: it continues
                 */
                ended_at: string | null;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description `whsec_…`: signs the events of this endpoint. Only this answer shows it */
            secret: string;
        };
        WebhookEndpointList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["WebhookEndpoint"][];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        WebhookTest: {
            /** @constant */
            object: "webhook_test";
            /** @description True: the endpoint answered 2xx in time */
            delivered: boolean;
            /** @description Null: no complete answer came */
            status: number | null;
            /** @description Why the test failed, as in an attempt of a delivery */
            error: string | null;
            /** @description The answer of the endpoint, at most 16 KiB; null: no complete answer came. The gateway does not store it */
            response_body: string | null;
            duration_ms: number;
        };
        Event: {
            /** @description `evt_…`: the `webhook-id` of every attempt to deliver it */
            id: string;
            /** @constant */
            object: "event";
            /** @enum {string} */
            type: "video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning" | "endpoint.disabled" | "routing.stopped";
            /**
             * Format: date-time
             * @description When it happened
             */
            timestamp: string;
            video_id: string | null;
            /** @description The data that was sent: see the webhook of this type */
            data: {
                [key: string]: unknown;
            };
        };
        EventList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Event"][];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        Delivery: {
            /** @description `dlv_…` */
            id: string;
            /** @constant */
            object: "delivery";
            event_id: string;
            /** @enum {string} */
            event_type: "video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning" | "endpoint.disabled" | "routing.stopped";
            /**
             * Format: date-time
             * @description When the event happened
             */
            event_at: string;
            video_id: string | null;
            target: {
                /** @enum {string} */
                kind: "webhook_url" | "endpoint";
                endpoint_id: string | null;
                url: string;
            };
            /**
             * @description `held`: it waits because its endpoint is disabled
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "held";
            attempt_count: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description Present only with `expand=attempts`. The latest 20, oldest first */
            attempts?: {
                /** Format: date-time */
                at: string;
                duration_ms: number;
                /** @description Null: no complete answer came */
                status: number | null;
                error: string | null;
                /** @description At most 1,000 characters; getDelivery shows more. Null except in the latest 5 attempts */
                response_body: string | null;
                /** Format: date-time */
                next_attempt_at: string | null;
            }[];
        };
        DeliveryWithAttempts: {
            /** @description `dlv_…` */
            id: string;
            /** @constant */
            object: "delivery";
            event_id: string;
            /** @enum {string} */
            event_type: "video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning" | "endpoint.disabled" | "routing.stopped";
            /**
             * Format: date-time
             * @description When the event happened
             */
            event_at: string;
            video_id: string | null;
            target: {
                /** @enum {string} */
                kind: "webhook_url" | "endpoint";
                endpoint_id: string | null;
                url: string;
            };
            /**
             * @description `held`: it waits because its endpoint is disabled
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "held";
            attempt_count: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description What the latest attempt sent, or what the first one will send. The URL is the one that the target has now */
            request: {
                /** @constant */
                method: "POST";
                url: string;
                /** @description Signatures are masked. Without `webhook-timestamp`: there was no attempt yet */
                headers: {
                    [key: string]: string;
                };
                /** @description The exact bytes */
                body: string;
            };
            /** @description The latest 100, oldest first */
            attempts: {
                /** Format: date-time */
                at: string;
                duration_ms: number;
                /** @description Null: no complete answer came */
                status: number | null;
                error: string | null;
                /** @description At most 16 KiB. Null except in the latest 5 attempts */
                response_body: string | null;
                /** Format: date-time */
                next_attempt_at: string | null;
            }[];
        };
        DeliveryList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Delivery"][];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        Redelivery: {
            /** @constant */
            object: "redelivery";
            event_id: string;
            /** @description The deliveries that are sent again; empty: no target wants the event */
            deliveries: string[];
        };
        Replay: {
            /** @constant */
            object: "replay";
            endpoint_id: string;
            /** @description How many events will be sent, in the order in which they happened */
            events: number;
        };
        VideoEvent: {
            /** @enum {string} */
            type: "video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled";
            /**
             * Format: date-time
             * @description When it happened
             */
            timestamp: string;
            data: {
                /** @description `vid_…` */
                id: string;
                /** @constant */
                object: "video";
                /**
                 * @description `completed`, `failed` and `canceled` are terminal: they never change
                 * @enum {string}
                 */
                status: "queued" | "processing" | "completed" | "failed" | "canceled";
                /** @description 0 to 1; null if the backend reports none */
                progress: number | null;
                /** @description The backend that makes the video */
                backend: string;
                /**
                 * @description The API of that backend; new values may come
                 * @example primary
                 * @example alternate
                 */
                interface: string;
                /** @description The backend's id of the job; null until the backend accepted it */
                backend_job_id: string | null;
                /**
                 * @description What the video is made from
                 * @enum {string}
                 */
                source: "text" | "audio" | "import";
                /** @description The backend's signed link; null before completion and after it expired */
                video_url: string | null;
                /**
                 * Format: date-time
                 * @description Null: unknown
                 */
                video_url_expires_at: string | null;
                thumbnail_url: string | null;
                /** @description The duration of the finished video */
                duration_seconds: number | null;
                /** @description The duration that the backend estimates before it makes the video */
                duration_estimate_seconds: number | null;
                /** @description The link to keep. It needs no key, stays valid, and redirects to a fresh signed link */
                content_url: string;
                /** @description A stream of this video for the `EventSource` of a browser. It needs no key: anyone who has the link can follow the video */
                events_url: string;
                /** @description Null unless the video failed */
                error: {
                    /** @description `backend_failed`, `backend_job_lost`, `backend_job_expired`, `video_url_missing`, `create_outcome_unknown`, or the code of the refusal */
                    code: string;
                    message: string;
                    /** @description True: the same request may succeed later, as a new video */
                    retryable: boolean;
                    backend_error: components["schemas"]["BackendError"] | null;
                } | null;
                /** @description Null if the backend reports none */
                credits: {
                    charged: number | null;
                    remaining: number | null;
                } | null;
                /** @description Options that the backend does not have and the gateway left out, with `unsupported: warn` */
                warnings: {
                    /** @constant */
                    code: "option_ignored";
                    param: string;
                    message: string;
                }[];
                /** @description As you gave it */
                metadata: {
                    [key: string]: string;
                };
                /** @description As you gave it */
                webhook_url: string | null;
                /** @description The backend's own status, word for word */
                backend_status: string | null;
                /** @description Why this backend makes the video */
                routing: {
                    /** @enum {string} */
                    chosen_by: "request" | "id" | "rule" | "default" | "failover";
                    /** @description The rule of the configuration that decided; null: no rule decided */
                    rule: string | null;
                    considered: {
                        backend: string;
                        /** @enum {string} */
                        verdict: "chosen" | "passed_over";
                        reason: string | null;
                    }[];
                };
                /** @description The failed video (`create_outcome_unknown`) that this video replaces */
                replaces: string | null;
                /** @description The video that an operator made from its job, after this video failed */
                replaced_by: string | null;
                /** @description Set only while the video waits in the gateway */
                queue: {
                    /** @description 1 is the next video */
                    position: number;
                    /** @description Why it waits, such as `no_free_slot` */
                    reason: string;
                } | null;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When the gateway sent it to the backend
                 */
                dispatched_at: string | null;
                /**
                 * Format: date-time
                 * @description When the video ended
                 */
                completed_at: string | null;
                /**
                 * Format: date-time
                 * @description When the gateway polls next; null after the end
                 */
                next_poll_at: string | null;
                /** @description The place of this event among the events of its video */
                sequence: number;
                /** @description Present only in terminal events */
                timing?: {
                    /**
                     * Format: date-time
                     * @description When the gateway learned that the backend accepted the job, or when it imported the job; null: no job
                     */
                    accepted_at: string | null;
                    /**
                     * Format: date-time
                     * @description When the gateway learned that the job had ended
                     */
                    detected_at: string;
                    /** @description The job ended at most this many milliseconds before `detected_at`; null: it had ended before the import */
                    uncertainty_ms: number | null;
                };
            };
        };
        EndpointDisabledEvent: {
            /** @constant */
            type: "endpoint.disabled";
            /** Format: date-time */
            timestamp: string;
            data: {
                endpoint_id: string;
                description: string | null;
                /** @enum {string} */
                reason: "client" | "gone" | "failures" | "failing";
                /** Format: date-time */
                disabled_at: string;
            };
        };
        RoutingStoppedEvent: {
            /** @constant */
            type: "routing.stopped";
            /** Format: date-time */
            timestamp: string;
            data: {
                rule: string;
                /** @description The backend that gets all new videos now */
                old: string;
                /** @description The backend that gets no new videos any longer */
                new: string;
                /** @description Percent of the new side until the stop */
                weight: number;
                /**
                 * Format: date-time
                 * @description Videos that ended after this time were counted
                 */
                outcomes_since: string;
                outcomes: {
                    old: {
                        videos: number;
                        failed: number;
                    };
                    new: {
                        videos: number;
                        failed: number;
                    };
                };
                /** Format: date-time */
                stopped_at: string;
            };
        };
        QuotaWarningEvent: {
            /** @constant */
            type: "quota.warning";
            /** Format: date-time */
            timestamp: string;
            data: {
                /**
                 * @description The name of the limit in the configuration
                 * @enum {string}
                 */
                quota: "videos_per_month" | "credits_per_month";
                /** @description The percent that you reached: 80 or 100 */
                threshold: number;
                /** @description What you had used then. A video whose price is unknown counts as one credit */
                used: number;
                limit: number;
                /** @description A month in UTC, such as `2026-11` */
                month: string;
                /**
                 * Format: date-time
                 * @description When the next month begins
                 */
                resets_at: string;
            };
        };
        WebhookTestEvent: {
            /** @constant */
            type: "webhook.test";
            /** Format: date-time */
            timestamp: string;
            data: {
                endpoint_id: string;
            };
        };
        Migration: {
            /** @constant */
            object: "migration";
            /**
             * Format: date-time
             * @description Videos count if they ended after this time
             */
            since: string;
            /** Format: date-time */
            until: string;
            /** @description How many videos were counted */
            counted: {
                videos: number;
                /** @description The highest number of videos that is counted, the latest first */
                limit: number;
                /** @description False: there were more videos since then */
                complete: boolean;
            };
            outcomes: {
                backends: {
                    /** @description All videos that ended */
                    videos: number;
                    completed: number;
                    failed: number;
                    canceled: number;
                    /** @description The share of completed videos among completed and failed ones. `low` to `high` is the 95 % interval (Wilson). Null: there are none */
                    success: {
                        rate: number;
                        low: number;
                        high: number;
                    } | null;
                    /** @description Seconds from the create to the end, of completed videos; null: there are none */
                    seconds: {
                        p50: number;
                        p95: number;
                    } | null;
                    /** @description The credits of videos whose price the backend reported; a null `each` means there are none */
                    credits: {
                        total: number;
                        each: number | null;
                    };
                    /** @description The share of completed and failed videos that lost an option */
                    warned: number | null;
                    backend: string;
                }[];
                rules: {
                    /** @description All videos that ended */
                    videos: number;
                    completed: number;
                    failed: number;
                    canceled: number;
                    /** @description The share of completed videos among completed and failed ones. `low` to `high` is the 95 % interval (Wilson). Null: there are none */
                    success: {
                        rate: number;
                        low: number;
                        high: number;
                    } | null;
                    /** @description Seconds from the create to the end, of completed videos; null: there are none */
                    seconds: {
                        p50: number;
                        p95: number;
                    } | null;
                    /** @description The credits of videos whose price the backend reported; a null `each` means there are none */
                    credits: {
                        total: number;
                        each: number | null;
                    };
                    /** @description The share of completed and failed videos that lost an option */
                    warned: number | null;
                    /** @description Null: no rule decided */
                    rule: string | null;
                    /** @description The place of the rule in the configuration; null: no rule decided */
                    path: string | null;
                }[];
                splits: {
                    rule: string;
                    old: {
                        /** @description All videos that ended */
                        videos: number;
                        completed: number;
                        failed: number;
                        canceled: number;
                        /** @description The share of completed videos among completed and failed ones. `low` to `high` is the 95 % interval (Wilson). Null: there are none */
                        success: {
                            rate: number;
                            low: number;
                            high: number;
                        } | null;
                        /** @description Seconds from the create to the end, of completed videos; null: there are none */
                        seconds: {
                            p50: number;
                            p95: number;
                        } | null;
                        /** @description The credits of videos whose price the backend reported; a null `each` means there are none */
                        credits: {
                            total: number;
                            each: number | null;
                        };
                        /** @description The share of completed and failed videos that lost an option */
                        warned: number | null;
                    };
                    new: {
                        /** @description All videos that ended */
                        videos: number;
                        completed: number;
                        failed: number;
                        canceled: number;
                        /** @description The share of completed videos among completed and failed ones. `low` to `high` is the 95 % interval (Wilson). Null: there are none */
                        success: {
                            rate: number;
                            low: number;
                            high: number;
                        } | null;
                        /** @description Seconds from the create to the end, of completed videos; null: there are none */
                        seconds: {
                            p50: number;
                            p95: number;
                        } | null;
                        /** @description The credits of videos whose price the backend reported; a null `each` means there are none */
                        credits: {
                            total: number;
                            each: number | null;
                        };
                        /** @description The share of completed and failed videos that lost an option */
                        warned: number | null;
                    };
                }[];
            };
            splits: components["schemas"]["Split"][];
        };
        Split: {
            /** @constant */
            object: "split";
            /** @description The id of the rule, as in `routing.rule` of a video */
            rule: string;
            /** @description The place of the rule in the configuration */
            path: string;
            when: {
                client: string | null;
                /** @enum {string|null} */
                surface: "unified" | "primary" | "alternate" | null;
                /** @enum {string|null} */
                source: "text" | "audio" | null;
                metadata: {
                    [key: string]: string;
                };
            };
            /** @description What stays on one side: `client`, or `metadata.<key>` */
            by: string;
            /** @description A backend */
            old: string;
            /** @description A backend */
            new: string;
            /** @description Percent of the new side in the configuration, where the ramp began */
            file_weight: number;
            /** @description Percent of the new side after the last step of the ramp */
            ramp_weight: number;
            /** @description Percent of the new side now: `ramp_weight`, or 0 while the split is stopped */
            weight: number;
            /**
             * Format: date-time
             * @description When the share was last changed; null: never, so the share of the configuration applies
             */
            stepped_at: string | null;
            stepped_by: string | null;
            /** Format: date-time */
            resumed_at: string | null;
            stop_if: {
                failure_rate: number;
                of: number;
                window_seconds: number;
            } | null;
            /** @description The canary stopped itself. Nothing goes to the new side until you resume it */
            stopped: {
                /** Format: date-time */
                at: string;
                /** Format: date-time */
                outcomes_since: string;
                outcomes: {
                    old: {
                        videos: number;
                        failed: number;
                    };
                    new: {
                        videos: number;
                        failed: number;
                    };
                };
            } | null;
            /** @description The percent after the next step; null: the new side has all */
            next_weight: number | null;
            /** @description True: the next step needs no `force` */
            ready: boolean;
            /** @description The gates now. At 0 % the next step needs none of them */
            gates: {
                /**
                 * @description The name in `routing.gates` of the configuration
                 * @enum {string}
                 */
                name: "least_videos" | "failure_rate" | "p95" | "credits" | "warnings";
                held: boolean;
                /** @description The value of the new side; null: there was nothing to measure */
                new: number | null;
                old: number | null;
                /** @description The highest allowed value of the new side; for `least_videos`, the lowest */
                limit: number | null;
                why: string;
            }[];
            /**
             * Format: date-time
             * @description Gates measure videos that ended after this time, the last step or resume; null: all that are kept
             */
            gates_since: string | null;
            /** @description What was done to the split, newest first, at most 20 */
            audit: {
                /** @description `aud_…` */
                id: string;
                /** Format: date-time */
                at: string;
                /** @description The id of a client, or `gateway` */
                actor: string;
                /** @enum {string} */
                action: "split.step" | "split.rollback" | "split.resume" | "split.stop";
                detail: {
                    [key: string]: unknown;
                };
            }[];
        };
        Key: {
            /** @description `key_…`: the id of the key. It is not a secret */
            id: string;
            /** @constant */
            object: "key";
            client: string;
            name: string | null;
            /** @description The last four characters of the key */
            last_four: string;
            scopes: ("voices:read" | "videos:read" | "videos:create" | "tts:create" | "uploads:create" | "webhooks:read" | "webhooks:write" | "backends:import" | "backends:read_all" | "admin" | "*")[];
            /**
             * @description Only `active` keys work. `suspended`: the client is disabled, deleted, or no longer in the configuration
             * @enum {string}
             */
            status: "active" | "expired" | "revoked" | "suspended";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description To about a minute
             */
            last_used_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** @description The key that replaces this one. Both work until `expires_at` */
            rotated_to: string | null;
            /** @description The key that this one replaces */
            replaces: string | null;
        };
        KeyWithSecret: {
            /** @description `key_…`: the id of the key. It is not a secret */
            id: string;
            /** @constant */
            object: "key";
            client: string;
            name: string | null;
            /** @description The last four characters of the key */
            last_four: string;
            scopes: ("voices:read" | "videos:read" | "videos:create" | "tts:create" | "uploads:create" | "webhooks:read" | "webhooks:write" | "backends:import" | "backends:read_all" | "admin" | "*")[];
            /**
             * @description Only `active` keys work. `suspended`: the client is disabled, deleted, or no longer in the configuration
             * @enum {string}
             */
            status: "active" | "expired" | "revoked" | "suspended";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description To about a minute
             */
            last_used_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** @description The key that replaces this one. Both work until `expires_at` */
            rotated_to: string | null;
            /** @description The key that this one replaces */
            replaces: string | null;
            /** @description `tb_live_…`: the key itself. Only this answer shows it */
            key: string;
        };
        KeyList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Key"][];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        Client: {
            id: string;
            /** @constant */
            object: "client";
            /**
             * @description `configuration`: you change it only in the configuration file. `stored`: it was made through the API
             * @enum {string}
             */
            source: "configuration" | "stored";
            description: string | null;
            /** @description The names of the backends that it may use; null: all */
            backends: string[] | null;
            limits: {
                requests_per_minute: number;
                /** @description Null: no limit */
                videos_per_month: number | null;
                /** @description Null: no limit */
                credits_per_month: number | null;
                queued_videos: number;
                streams: number;
            };
            /** @description False: the gateway refuses its issued keys */
            enabled: boolean;
            /** Format: date-time */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description Null: the client is in the configuration
             */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
        };
        ClientList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Client"][];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        AuditEntry: {
            /** @description `aud_…` */
            id: string;
            /** @constant */
            object: "audit_entry";
            /** Format: date-time */
            at: string;
            /** @description The id of a client, or `gateway` */
            actor: string;
            /** @description The key that was used: `key_…`, or its place in the configuration. Null: the gateway itself */
            actor_key: string | null;
            /** @description The IP address of the caller. It depends on `server.trust_proxy` */
            address: string | null;
            request_id: string | null;
            /** @enum {string} */
            action: "key.create" | "key.rotate" | "key.revoke" | "client.create" | "client.update" | "client.delete" | "video.resolve" | "video.cancel" | "event.redeliver" | "split.step" | "split.rollback" | "split.resume" | "split.stop";
            /** @description What was changed: the id of a key, a client or a video, or the key of a rule */
            subject: string;
            detail: {
                [key: string]: unknown;
            };
        };
        AuditEntryList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["AuditEntry"][];
            has_more: boolean;
            /** @description Opaque: send it as `cursor` to get the next page. Null on the last page */
            next_cursor: string | null;
        };
        /**
         * @description Every error has this form (RFC 9457). `code` is for programs:
         *
         *     | status | code | meaning | retry? |
         *     |---|---|---|---|
         *     | 400 | `invalid_request` | Invalid request | no |
         *     | 400 | `invalid_json` | Body is not valid JSON | no |
         *     | 400 | `invalid_cursor` | Invalid cursor | no |
         *     | 400 | `invalid_image` | Unsupported image | no |
         *     | 400 | `upload_not_found` | Upload not found | no |
         *     | 400 | `upload_not_finished` | Upload not finished | yes |
         *     | 400 | `idempotency_key_invalid` | Invalid Idempotency-Key | no |
         *     | 401 | `unauthenticated` | Missing or unknown key | no |
         *     | 402 | `insufficient_credits` | Not enough credits | no |
         *     | 403 | `insufficient_scope` | The key lacks the scope | no |
         *     | 403 | `not_owner` | You are not the owner | no |
         *     | 404 | `not_found` | Not found | no |
         *     | 404 | `video_not_found` | Video not found | no |
         *     | 404 | `voice_not_found` | Voice not found | no |
         *     | 404 | `puppet_not_found` | Puppet not found | no |
         *     | 404 | `backend_not_found` | Backend not found | no |
         *     | 404 | `rule_not_found` | Split not found | no |
         *     | 404 | `endpoint_not_found` | Webhook endpoint not found | no |
         *     | 404 | `event_not_found` | Event not found | no |
         *     | 404 | `delivery_not_found` | Delivery not found | no |
         *     | 404 | `key_not_found` | Key not found | no |
         *     | 404 | `client_not_found` | Client not found | no |
         *     | 405 | `method_not_allowed` | Method not allowed | no |
         *     | 406 | `not_acceptable` | Not acceptable | no |
         *     | 409 | `idempotency_key_conflict` | Idempotency-Key used with another request | no |
         *     | 409 | `idempotency_key_in_progress` | The first request with this key is still running | yes |
         *     | 409 | `video_not_cancelable` | Video cannot be canceled | no |
         *     | 409 | `video_not_completed` | Video not completed | yes |
         *     | 409 | `video_replaced` | Another video replaces this one | no |
         *     | 409 | `import_in_doubt` | A create in doubt may have made this job | yes |
         *     | 409 | `ramp_refused` | The split stays as it is | no |
         *     | 409 | `key_not_active` | The key is not active | no |
         *     | 409 | `client_exists` | This client id is taken | no |
         *     | 409 | `client_configured` | The client is in the configuration | no |
         *     | 413 | `payload_too_large` | Body too large | no |
         *     | 413 | `file_too_large` | File too large | no |
         *     | 415 | `unsupported_media_type` | Unsupported media type | no |
         *     | 422 | `capability_not_supported` | The backend cannot do this | no |
         *     | 422 | `webhook_url_not_allowed` | Webhook URL not allowed | no |
         *     | 422 | `audio_url_not_allowed` | Audio URL not allowed | no |
         *     | 422 | `audio_unreachable` | Audio cannot be fetched | yes |
         *     | 429 | `rate_limited` | Rate limited | yes |
         *     | 429 | `concurrency_limit_reached` | Too many waiting videos | yes |
         *     | 429 | `quota_exceeded` | Quota exceeded | yes |
         *     | 500 | `internal_error` | Internal error | yes |
         *     | 502 | `backend_error` | Backend error | yes |
         *     | 502 | `backend_credentials_rejected` | The backend refused the gateway | no |
         *     | 503 | `backend_unavailable` | Backend unavailable | yes |
         *     | 503 | `upload_check_unavailable` | Upload check unavailable | yes |
         *     | 503 | `queue_full` | Queue full | yes |
         *     | 503 | `store_unavailable` | Store unavailable | yes |
         *     | 503 | `shutting_down` | Shutting down | yes |
         *     | 504 | `backend_timeout` | Backend timeout | yes |
         */
        Problem: {
            /** @description `urn:talkbridge:problem:<code>` */
            type: string;
            /** @description The same text for every problem with this code */
            title: string;
            /** @description The HTTP status of the answer */
            status: number;
            /** @description What happened, in words */
            detail: string;
            /**
             * @description The code, for programs. The table is in the description of this schema
             * @enum {string}
             */
            code: "invalid_request" | "invalid_json" | "invalid_cursor" | "invalid_image" | "upload_not_found" | "upload_not_finished" | "idempotency_key_invalid" | "unauthenticated" | "insufficient_credits" | "insufficient_scope" | "not_owner" | "not_found" | "video_not_found" | "voice_not_found" | "puppet_not_found" | "backend_not_found" | "rule_not_found" | "endpoint_not_found" | "event_not_found" | "delivery_not_found" | "key_not_found" | "client_not_found" | "method_not_allowed" | "not_acceptable" | "idempotency_key_conflict" | "idempotency_key_in_progress" | "video_not_cancelable" | "video_not_completed" | "video_replaced" | "import_in_doubt" | "ramp_refused" | "key_not_active" | "client_exists" | "client_configured" | "payload_too_large" | "file_too_large" | "unsupported_media_type" | "capability_not_supported" | "webhook_url_not_allowed" | "audio_url_not_allowed" | "audio_unreachable" | "rate_limited" | "concurrency_limit_reached" | "quota_exceeded" | "internal_error" | "backend_error" | "backend_credentials_rejected" | "backend_unavailable" | "upload_check_unavailable" | "queue_full" | "store_unavailable" | "shutting_down" | "backend_timeout";
            /** @description True: the same request may succeed later */
            retryable: boolean;
            /** @description The seconds of the header `Retry-After` */
            retry_after_seconds: number | null;
            /**
             * Format: date-time
             * @description Do not retry before this time
             */
            retry_at: string | null;
            /** @description The field of the first entry in `errors` */
            param: string | null;
            /** @description One entry for each fault */
            errors: {
                /** @description The field, with dots, such as `metadata.team` */
                path: string;
                message: string;
            }[];
            /** @description More facts for some codes. Opaque */
            details: {
                [key: string]: unknown;
            } | null;
            /** @description The backend that the problem is about */
            backend: string | null;
            backend_error: components["schemas"]["BackendError"] | null;
            /** @description The video that the problem is about */
            video_id: string | null;
            /** @description The id of the header `X-Request-Id`. Give it to your operator when you report a problem */
            request_id: string;
        };
        /** @description What the backend answered, for debugging. The rest of the answer is the same for all backends */
        BackendError: {
            /** @description The HTTP status; null if no answer came */
            status: number | null;
            /** @description The backend's own error code */
            code: string | null;
            /** @description Why the account is blocked, if the backend says so */
            block_code: string | null;
            /** @description The backend's own message */
            message: string | null;
        };
        /** @description Opaque here: the OpenAPI specification describes it */
        OpenApi: {
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        Health: {
            /** @enum {string} */
            status: "ok" | "ready";
        };
        CreateVideo: {
            /** @description The portrait, an https URL. Or give `puppet_id` */
            image_url?: string | null;
            /** @description The id of a saved portrait. Or give `image_url` */
            puppet_id?: string | null;
            /** @description The text to speak. Or give `audio_url` or `upload_id` */
            text?: string | null;
            /** @description Another name for `text` */
            script?: string | null;
            /** @description The audio to use as speech, an https URL */
            audio_url?: string | null;
            /** @description The audio to use as speech, from createUpload */
            upload_id?: string | null;
            /** @description Only with `text`. Default: the backend's own voice */
            voice_id?: string | null;
            language?: string | null;
            expressiveness?: number | null;
            /** @enum {string|null} */
            resolution?: "720p" | "1080p" | null;
            /** @description The backend to use. Without it, your ids, the routing rules or the default decide */
            backend?: string | null;
            /**
             * @description What happens if the backend does not have an option. `reject` (default): you get 422. `warn`: the video is made without it, and `warnings` lists it
             * @enum {string|null}
             */
            unsupported?: "reject" | "warn" | null;
            /** @description Where to send the signed events of this video */
            webhook_url?: string | null;
            /** @description Which events to send. Default: the terminal ones */
            webhook_events?: ("video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled")[] | null;
            /** @description Your own data: up to 50 pairs, together up to 8 KiB. Reads and events repeat them */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        ImportVideo: {
            /** @description The backend that made the job */
            backend: string;
            /** @description The backend's own id of the job */
            backend_job_id: string;
            /** @description Where to send the signed events of this video */
            webhook_url?: string | null;
            /** @description Your own data: up to 50 pairs, together up to 8 KiB. Reads and events repeat them */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        CreatePuppet: {
            /** @description An https URL */
            image_url: string;
            name?: string | null;
            /** @description The backend to use. Without it, your ids, the routing rules or the default decide */
            backend?: string | null;
        };
        CreateSpeech: {
            /** @description The text to speak */
            text: string;
            /** @description The voice. Its id also names the backend */
            voice_id: string;
            /** @description The speed of the speech; 1 is normal */
            speed?: number | null;
        };
        CreateUpload: {
            /** @enum {string} */
            content_type: "audio/wav" | "audio/x-wav" | "audio/mpeg" | "audio/mp3" | "audio/mp4" | "audio/m4a" | "audio/x-m4a";
            /** @description The size of the file, at most 52428800. A larger one gets 413 */
            size_bytes: number;
            /** @description True: refuse the upload if no video could be made with it now */
            require_video_readiness?: boolean | null;
        };
        ResolveVideo: {
            /** @description The job that the create made on the backend */
            job_id: string;
        } | {
            /**
             * @description The create made no job. The gateway sends a create in doubt again
             * @constant
             */
            absent: true;
            /** @description The attempt that you checked: `doubt.attempt` of the video */
            attempt: number;
        };
        CreateWebhookEndpoint: {
            /** @description The https URL that receives the events */
            url: string;
            /** @description The events to send. Default: completed, failed and canceled */
            events?: ("video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning")[];
            description?: string | null;
            /** @description Default: true */
            enabled?: boolean;
        };
        UpdateWebhookEndpoint: {
            /** @description The https URL that receives the events */
            url?: string;
            /** @description The events to send. Default: completed, failed and canceled */
            events?: ("video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning")[];
            description?: string | null;
            /** @description True: the gateway sends what it holds, ten a second */
            enabled?: boolean;
        };
        RotateSecret: {
            /** @description How long the gateway also signs events with the old secrets. Default: 86400 */
            expire_old_in_seconds?: number;
        };
        ReplayEvents: {
            /**
             * Format: date-time
             * @description Events from this time on
             */
            since: string;
            /**
             * Format: date-time
             * @description Events before this time
             */
            until: string;
            /** @description True: only events whose delivery the gateway gave up. Default: all events that the endpoint subscribes to */
            only_failed?: boolean;
        };
        StepSplit: {
            /** @description The rule of the split, `rule_…`. You can leave it out if there is only one split */
            rule?: string;
            /** @description True: step even if gates do not hold. You must still resume a stopped split first */
            force?: boolean;
        };
        ChangeSplit: {
            /** @description The rule of the split, `rule_…`. You can leave it out if there is only one split */
            rule?: string;
        };
        CreateKey: {
            /** @description The client that gets the key */
            client: string;
            /** @description A name that shows people what the key is for */
            name?: string | null;
            /** @description What the key may do. You can give only scopes that your own key has */
            scopes: ("voices:read" | "videos:read" | "videos:create" | "tts:create" | "uploads:create" | "webhooks:read" | "webhooks:write" | "backends:import" | "backends:read_all" | "admin" | "*")[];
            /**
             * Format: date-time
             * @description The gateway refuses the key from this time on
             */
            expires_at?: string | null;
        };
        RotateKey: {
            /**
             * @description How long the old key still works beside the new one: `0`, or a duration up to `30d`
             * @default 24h
             */
            overlap: string;
            /**
             * Format: date-time
             * @description When the new key ends. Default: it lives as long as the old key was made for
             */
            expires_at?: string | null;
        };
        CreateClient: {
            id: string;
            description?: string | null;
            /** @description The names of the backends that it may use. Default: null, all */
            backends?: string[] | null;
            limits?: {
                /** @description Default: 600 */
                requests_per_minute?: number;
                /** @description Default: null, no limit */
                videos_per_month?: number | null;
                /** @description Default: null, no limit */
                credits_per_month?: number | null;
                /** @description Default: 100 */
                queued_videos?: number;
                /** @description Default: 20 */
                streams?: number;
            };
        };
        UpdateClient: {
            description?: string | null;
            /** @description The names of the backends that it may use. Default: null, all */
            backends?: string[] | null;
            limits?: {
                /** @description Default: 600 */
                requests_per_minute?: number;
                /** @description Default: null, no limit */
                videos_per_month?: number | null;
                /** @description Default: null, no limit */
                credits_per_month?: number | null;
                /** @description Default: 100 */
                queued_videos?: number;
                /** @description Default: 20 */
                streams?: number;
            };
            /** @description False: the gateway refuses its keys until you set true again */
            enabled?: boolean;
        };
        PrimaryVoice: {
            /** @description Give it as `voice_id` */
            id: string;
            /** @constant */
            object: "voice";
            name: string;
            provider: string;
            /** @description Display name */
            language: string;
            language_code: string;
            /** @description With a capital first letter */
            gender: string;
            /** @description The path of a short sample, always the same one */
            preview_url: string;
        } & {
            [key: string]: unknown;
        };
        PrimaryVoiceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["PrimaryVoice"][];
        } & {
            [key: string]: unknown;
        };
        /** @description A primary backend may add its own fields. */
        PrimaryPuppet: {
            id: string;
            /** @constant */
            object?: "puppet";
            name?: string | null;
            imageUrl?: string | null;
            /** Format: date-time */
            createdAt?: string | null;
        } & {
            [key: string]: unknown;
        };
        PrimaryPuppetList: {
            /** @constant */
            object: "list";
            data: ({
                id: string;
                /** @constant */
                object?: "puppet";
                name?: string | null;
                imageUrl?: string | null;
                /** Format: date-time */
                createdAt?: string | null;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The `cursor` of the next page; null on the last page */
            nextCursor: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A hosted WAV file. Opaque here: the fields are the backend’s own */
        PrimarySpeech: {
            [key: string]: unknown;
        };
        /** @description A signed URL to which you PUT the audio, and one to read it from. Opaque here: the fields are the backend’s own */
        PrimaryUpload: {
            [key: string]: unknown;
        };
        /** @description Credits, and whether a video can be created now. Opaque here: the fields are the backend’s own. With an alternate backend, the gateway shows its own counts; null: unknown */
        PrimaryUsage: {
            [key: string]: unknown;
        };
        PrimaryVideoGeneration: {
            can_create: boolean;
            canCreate: boolean;
            reason?: string | null;
            active_jobs?: number | null;
            activeJobs?: number | null;
            available_slots?: number | null;
            availableSlots?: number | null;
            retry_after_seconds?: number;
            retryAfter?: number;
            retryAfterSeconds?: number;
            /** Format: date-time */
            next_poll_at?: string;
            /** Format: date-time */
            nextPollAt?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A primary backend may add its own fields. */
        PrimaryVideoJob: {
            id: string;
            operation_id: string;
            request_id: string;
            status_url: string;
            content_location: string;
            /** @description `queued`, `processing`, `completed` or `failed`. For a failure, it may be the backend's own status */
            status: string;
            /** @description Present while the job is processed */
            progress?: number;
            /** @description Present when the job is completed */
            video_url?: string;
            /**
             * Format: date-time
             * @description The same time as `X-Service-Next-Poll-At`
             */
            next_poll_at?: string;
            /** Format: date-time */
            nextPollAt?: string;
            /** @description Why the job failed */
            error?: string;
            message?: string;
            retryable?: boolean;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Every error has this form, with each field in both spellings. Not every error has all fields. The gateway keeps a primary backend's own codes. `error` is:
         *
         *     | status | code | when |
         *     |---|---|---|
         *     | 400 | `hosted_audio_upload_unavailable` | Upload check unavailable |
         *     | 400 | `idempotency_key_mismatch` | Invalid Idempotency-Key |
         *     | 400 | `invalid_image` | Unsupported image |
         *     | 400 | `invalid_request` | Invalid request, Body is not valid JSON, The backend cannot do this, Webhook URL not allowed, Upload not found, Upload not finished, Body too large, Unsupported media type |
         *     | 401 | `unauthorized` | Missing or unknown key |
         *     | 402 | `insufficient_credits` | Not enough credits |
         *     | 403 | `insufficient_scope` | The key lacks the scope |
         *     | 404 | `job_not_found` | Video not found |
         *     | 404 | `puppet_not_found` | Puppet not found |
         *     | 404 | `voice_not_found` | Voice not found |
         *     | 409 | `idempotency_key_conflict` | Idempotency-Key used with another request |
         *     | 409 | `idempotency_key_in_progress` | The first request with this key is still running |
         *     | 413 | `file_too_large` | File too large |
         *     | 413 | `payload_too_large` | Body too large |
         *     | 415 | `unsupported_media_type` | Unsupported media type |
         *     | 429 | `concurrent_job_limit_reached` | Too many waiting videos |
         *     | 429 | `monthly_quota_exceeded` | Quota exceeded |
         *     | 429 | `rate_limited` | Rate limited |
         *     | 500 | `internal_error` | Internal error |
         *     | 502 | `backend_error` | Backend error, The backend refused the gateway |
         *     | 502 | `backend_timeout` | Backend timeout |
         *     | 502 | `job_status_unavailable` | Backend error, Backend unavailable |
         *     | 503 | `temporarily_unavailable` | Store unavailable, Backend unavailable, Queue full |
         */
        PrimaryError: {
            /** @description The code, for programs */
            error: string;
            message: string;
            retryable?: boolean;
            retry_after_seconds?: number;
            retryAfter?: number;
            retryAfterSeconds?: number;
            /** Format: date-time */
            next_poll_at?: string;
            /** Format: date-time */
            nextPollAt?: string;
            retry_blocked_reason?: string;
            retryBlockedReason?: string;
            retry_block_code?: string;
            retryBlockCode?: string;
            id?: string;
            job_id?: string;
            jobId?: string;
            task_id?: string;
            taskId?: string;
            operation_id?: string;
            operationId?: string;
            request_id?: string;
            requestId?: string;
            status_url?: string;
            statusUrl?: string;
            content_location?: string;
            contentLocation?: string;
            details?: {
                retryable?: boolean;
                retry_after_seconds?: number;
                retryAfter?: number;
                retryAfterSeconds?: number;
                /** Format: date-time */
                next_poll_at?: string;
                /** Format: date-time */
                nextPollAt?: string;
                retry_blocked_reason?: string;
                retryBlockedReason?: string;
                retry_block_code?: string;
                retryBlockCode?: string;
                id?: string;
                job_id?: string;
                jobId?: string;
                task_id?: string;
                taskId?: string;
                operation_id?: string;
                operationId?: string;
                request_id?: string;
                requestId?: string;
                status_url?: string;
                statusUrl?: string;
                content_location?: string;
                contentLocation?: string;
                code?: string;
                reason?: string;
                max_body_bytes?: number;
                max_file_bytes?: number;
                video_generation?: components["schemas"]["PrimaryVideoGeneration"];
                videoGeneration?: components["schemas"]["PrimaryVideoGeneration"];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        PrimaryTextVideo: {
            /**
             * Format: uri
             * @description The HTTPS URL of the portrait
             */
            image_url?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            imageUrl?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            image?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            portrait?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            portrait_url?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            portraitUrl?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            avatar?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            avatarUrl?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            avatar_url?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            photo?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            photoUrl?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            photo_url?: string;
            /** @description The text to speak */
            text?: string;
            /** @description Another name for `text`. If you give both, they must be equal */
            script?: string;
            /** @description Another name for `text`. If you give both, they must be equal */
            prompt?: string;
            /** @description The id of a voice. Default: the default voice of the service */
            voice_id?: string;
            /** @description Another name for `voice_id`. If you give both, they must be equal */
            voiceId?: string;
            /** @description Another name for `voice_id`. If you give both, they must be equal */
            voice?: string;
            language?: string;
            /** @description The scale of the motion */
            expressiveness?: number;
            /** @description Replaces the header `Idempotency-Key` */
            idempotencyKey?: string;
            /** @description Another name for `idempotencyKey`. If you give both, they must be equal */
            idempotency_key?: string;
            /**
             * Format: uri
             * @description Added by the gateway: where to send the signed events of this video (Standard Webhooks)
             */
            webhook_url?: string;
        } & ((unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown) & (unknown | unknown | unknown));
        PrimaryAudioVideo: {
            /**
             * Format: uri
             * @description The HTTPS URL of the portrait
             */
            image_url?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            imageUrl?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            image?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            portrait?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            portrait_url?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            portraitUrl?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            avatar?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            avatarUrl?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            avatar_url?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            photo?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            photoUrl?: string;
            /**
             * Format: uri
             * @description Another name for `image_url`. If you give both, they must be equal
             */
            photo_url?: string;
            /**
             * Format: uri
             * @description The HTTPS URL of audio that you uploaded through createHostedAudioUploadUrl with the same key
             */
            audio_url?: string;
            /**
             * Format: uri
             * @description Another name for `audio_url`. If you give both, they must be equal
             */
            audioUrl?: string;
            /**
             * Format: uri
             * @description Another name for `audio_url`. If you give both, they must be equal
             */
            audio?: string;
            /** @description The scale of the motion */
            expressiveness?: number;
            /** @description Replaces the header `Idempotency-Key` */
            idempotencyKey?: string;
            /** @description Another name for `idempotencyKey`. If you give both, they must be equal */
            idempotency_key?: string;
            /**
             * Format: uri
             * @description Added by the gateway: where to send the signed events of this video (Standard Webhooks)
             */
            webhook_url?: string;
        } & ((unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown) & (unknown | unknown | unknown));
        PrimaryNewPuppet: {
            /**
             * Format: uri
             * @description The public URL of a portrait
             */
            imageUrl: string;
            /** @description Display name */
            name?: string;
        };
        PrimarySpeechText: {
            /** @description The id of a voice */
            voice_id: string;
            text: string;
            /** @description A multiplier of the speed */
            speed?: number;
        };
        PrimaryAudioUpload: {
            /** @enum {string} */
            mime_type?: "audio/wav" | "audio/x-wav" | "audio/mpeg" | "audio/mp3" | "audio/mp4" | "audio/m4a" | "audio/x-m4a";
            /**
             * @description Another name for `mime_type`. If you give both, they must be equal
             * @enum {string}
             */
            mimeType?: "audio/wav" | "audio/x-wav" | "audio/mpeg" | "audio/mp3" | "audio/mp4" | "audio/m4a" | "audio/x-m4a";
            /**
             * @description Another name for `mime_type`. If you give both, they must be equal
             * @enum {string}
             */
            contentType?: "audio/wav" | "audio/x-wav" | "audio/mpeg" | "audio/mp3" | "audio/mp4" | "audio/m4a" | "audio/x-m4a";
            /** @description The size in bytes */
            content_length?: number;
            /** @description Another name for `content_length`. If you give both, they must be equal */
            contentLength?: number;
            /** @description Another name for `content_length`. If you give both, they must be equal */
            sizeBytes?: number;
            /** @description Another name for `content_length`. If you give both, they must be equal */
            file_size?: number;
            /** @description Another name for `content_length`. If you give both, they must be equal */
            fileSize?: number;
            /** @description Replaces the header `Idempotency-Key` */
            idempotencyKey?: string;
            /** @description Another name for `idempotencyKey`. If you give both, they must be equal */
            idempotency_key?: string;
            /** @description True: you get 402 or 429 if no video can be created now, and nothing is reserved */
            require_video_readiness?: boolean;
            /** @description Another name for `require_video_readiness`. If you give both, they must be equal */
            requireVideoReadiness?: boolean;
            /** @description Another name for `require_video_readiness`. If you give both, they must be equal */
            video_readiness_required?: boolean;
            /** @description Another name for `require_video_readiness`. If you give both, they must be equal */
            videoReadinessRequired?: boolean;
        } & ((unknown | unknown | unknown) & (unknown | unknown | unknown | unknown | unknown));
        /** @description An alternate backend may add its own fields. */
        AlternateCreatedVideo: {
            id: string;
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            /** @description Null for a video that was made from an image URL on another surface, and for a canceled one */
            puppet_id: string | null;
            /** Format: date-time */
            created_at: string;
            voice_id: string | null;
            /** @enum {string|null} */
            resolution: "720p" | "1080p" | null;
            /** @description The backend's estimate. If it has none, the gateway estimates from the number of words */
            duration_estimate_sec: number | null;
        } & {
            [key: string]: unknown;
        };
        AlternateVideoItem: {
            id: string;
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            /** @description Null for a video that was made from an image URL on another surface, and for a canceled one */
            puppet_id: string | null;
            /** Format: date-time */
            created_at: string;
            duration_sec: number | null;
        } & {
            [key: string]: unknown;
        };
        AlternateVideoList: {
            data: components["schemas"]["AlternateVideoItem"][];
            pagination: {
                page: number;
                limit: number;
                /** @description The number of your own videos */
                total: number;
                total_pages: number;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description An alternate backend may add its own fields. */
        AlternateVideo: {
            id: string;
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            /** @description Null for a video that was made from an image URL on another surface, and for a canceled one */
            puppet_id: string | null;
            /** Format: date-time */
            created_at: string;
            voice_id: string | null;
            /** @enum {string|null} */
            resolution: "720p" | "1080p" | null;
            duration_sec: number | null;
            /** @description A signed URL */
            download_url: string | null;
            thumbnail_url: string | null;
            /**
             * Format: date-time
             * @description Present after completion
             */
            completed_at?: string | null;
            /** @description Why the video failed. Opaque here: each backend has its own fields */
            error?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        AlternateDownload: {
            download_url: string;
            /**
             * Format: date-time
             * @description When the link expires, as the backend reports it. Otherwise the time until which the gateway would use the link
             */
            expires_at: string;
        } & {
            [key: string]: unknown;
        };
        AlternateVoice: {
            /** @description Give it as `voice_id` */
            id: string;
            name: string | null;
            gender: string | null;
            /** @description A locale */
            language: string | null;
            preview_url: string | null;
        } & {
            [key: string]: unknown;
        };
        AlternateVoiceList: {
            data: components["schemas"]["AlternateVoice"][];
        } & {
            [key: string]: unknown;
        };
        AlternatePuppet: {
            /** @description Give it as `puppet_id` */
            id: string;
            name: string | null;
            /** @enum {string} */
            type: "stock" | "custom";
            thumbnail_url: string | null;
        } & {
            [key: string]: unknown;
        };
        AlternatePuppetList: {
            data: components["schemas"]["AlternatePuppet"][];
        } & {
            [key: string]: unknown;
        };
        /** @description An event `{type, timestamp, data}`, and `data` is the video as a read answers it. If each value of the backend's own callback is also in that video: the fields of the callback, with your id of the video. Opaque here */
        AlternateCallback: {
            [key: string]: unknown;
        };
        /**
         * @description Every error has this form. The gateway keeps an alternate backend's own codes. `code` is:
         *
         *     | status | code | when |
         *     |---|---|---|
         *     | 400 | `invalid_request` | Invalid request, Body is not valid JSON, The backend cannot do this, Webhook URL not allowed, Invalid Idempotency-Key |
         *     | 401 | `unauthorized` | Missing or unknown key |
         *     | 402 | `insufficient_credits` | Not enough credits |
         *     | 403 | `forbidden` | The key lacks the scope |
         *     | 404 | `puppet_not_found` | Puppet not found |
         *     | 404 | `video_not_found` | Video not found |
         *     | 404 | `voice_not_found` | Voice not found |
         *     | 409 | `idempotency_key_conflict` | Idempotency-Key used with another request |
         *     | 409 | `idempotency_key_in_progress` | The first request with this key is still running |
         *     | 409 | `video_not_ready` | Video not completed |
         *     | 413 | `payload_too_large` | Body too large |
         *     | 415 | `unsupported_media_type` | Unsupported media type |
         *     | 429 | `concurrency_limit_reached` | Too many waiting videos |
         *     | 429 | `quota_exceeded` | Quota exceeded |
         *     | 429 | `rate_limited` | Rate limited |
         *     | 500 | `internal` | Internal error |
         *     | 502 | `backend_error` | Backend error, The backend refused the gateway |
         *     | 503 | `temporarily_unavailable` | Store unavailable, Backend unavailable, Queue full |
         *     | 504 | `backend_timeout` | Backend timeout |
         */
        AlternateError: {
            error: {
                /** @description The code, for programs */
                code: string;
                message: string;
            } & {
                [key: string]: unknown;
            };
        };
        AlternateNewVideo: {
            /** @description The text to speak */
            script: string;
            puppet_id: string;
            /** @description The id of a voice. Default: the puppet's own voice */
            voice_id?: string;
            /**
             * @default 1080p
             * @enum {string}
             */
            resolution: "720p" | "1080p";
            /**
             * Format: uri
             * @description The URL that receives a POST when the video is ready
             */
            webhook_url?: string;
        };
    };
    responses: {
        /** @description `unauthenticated`: Missing or unknown key */
        unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "unauthenticated";
                };
            };
        };
        /** @description `insufficient_credits`: Not enough credits */
        insufficient_credits: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "insufficient_credits";
                };
            };
        };
        /** @description `insufficient_scope`: The key lacks the scope */
        insufficient_scope: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "insufficient_scope";
                };
            };
        };
        /** @description `not_acceptable`: Not acceptable */
        not_acceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "not_acceptable";
                };
            };
        };
        /** @description `idempotency_key_conflict`: Idempotency-Key used with another request. `idempotency_key_in_progress`: The first request with this key is still running */
        "idempotency_key_conflict-and-1-more": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-optional"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "idempotency_key_conflict" | "idempotency_key_in_progress";
                };
            };
        };
        /** @description `payload_too_large`: Body too large. `file_too_large`: File too large */
        "payload_too_large-and-1-more": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "payload_too_large" | "file_too_large";
                };
            };
        };
        /** @description `unsupported_media_type`: Unsupported media type */
        unsupported_media_type: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "unsupported_media_type";
                };
            };
        };
        /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
        "rate_limited-and-2-more": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-optional"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "rate_limited" | "concurrency_limit_reached" | "quota_exceeded";
                };
            };
        };
        /** @description `internal_error`: Internal error */
        internal_error: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "internal_error";
                };
            };
        };
        /** @description `backend_error`: Backend error. `backend_credentials_rejected`: The backend refused the gateway */
        "backend_error-and-1-more": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-optional"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "backend_error" | "backend_credentials_rejected";
                };
            };
        };
        /** @description `backend_timeout`: Backend timeout */
        backend_timeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-optional"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "backend_timeout";
                };
            };
        };
        /** @description `invalid_request`: Invalid request. `invalid_cursor`: Invalid cursor */
        "invalid_request-and-1-more": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "invalid_request" | "invalid_cursor";
                };
            };
        };
        /** @description `not_found`: Not found */
        not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "not_found";
                };
            };
        };
        /** @description `payload_too_large`: Body too large */
        payload_too_large: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "payload_too_large";
                };
            };
        };
        /** @description `capability_not_supported`: The backend cannot do this */
        capability_not_supported: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "capability_not_supported";
                };
            };
        };
        /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable */
        "store_unavailable-and-1-more": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-optional"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "store_unavailable" | "backend_unavailable";
                };
            };
        };
        /** @description `webhook_url_not_allowed`: Webhook URL not allowed */
        webhook_url_not_allowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "webhook_url_not_allowed";
                };
            };
        };
        /** @description `rate_limited`: Rate limited */
        rate_limited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-optional"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "rate_limited";
                };
            };
        };
        /** @description `store_unavailable`: Store unavailable */
        store_unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-optional"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "store_unavailable";
                };
            };
        };
        /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON */
        "invalid_request-and-1-more-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "invalid_request" | "invalid_json";
                };
            };
        };
        /** @description `not_found`: Not found. `video_not_found`: Video not found */
        "not_found-and-1-more": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "not_found" | "video_not_found";
                };
            };
        };
        /** @description `invalid_request`: Invalid request */
        invalid_request: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "invalid_request";
                };
            };
        };
        /** @description `video_not_found`: Video not found */
        video_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "video_not_found";
                };
            };
        };
        /** @description `video_not_cancelable`: Video cannot be canceled */
        video_not_cancelable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-optional"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "video_not_cancelable";
                };
            };
        };
        /** @description `video_not_completed`: Video not completed */
        video_not_completed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-optional"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "video_not_completed";
                };
            };
        };
        /** @description `not_found`: Not found. `puppet_not_found`: Puppet not found */
        "not_found-and-1-more-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "not_found" | "puppet_not_found";
                };
            };
        };
        /** @description It is deleted. */
        "answer-204": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `backend_not_found`: Backend not found */
        backend_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "backend_not_found";
                };
            };
        };
        /** @description All backends. */
        "answer-200": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "object": "list",
                 *       "data": [
                 *         {
                 *           "object": "backend",
                 *           "name": "main",
                 *           "interface": "primary",
                 *           "health": {
                 *             "status": "up",
                 *             "since": "2026-11-20T12:00:00.000Z",
                 *             "reason": null
                 *           },
                 *           "capabilities": {
                 *             "text_source": true,
                 *             "audio_source": true,
                 *             "image_url": true,
                 *             "puppet_id": true,
                 *             "resolution": true,
                 *             "expressiveness": true,
                 *             "language": true,
                 *             "speech": true,
                 *             "uploads": true,
                 *             "puppets_write": true,
                 *             "usage": true,
                 *             "native_webhook": true,
                 *             "native_list": true,
                 *             "native_idempotency": true,
                 *             "voice_required": true,
                 *             "progress": true,
                 *             "puppet_by_id": true
                 *           },
                 *           "limits": {
                 *             "text_characters": null
                 *           },
                 *           "budget": {
                 *             "limit": 10,
                 *             "remaining": 7,
                 *             "resets_at": "2026-11-20T12:01:00.000Z"
                 *           },
                 *           "slots": {
                 *             "limit": 2,
                 *             "used": 1
                 *           },
                 *           "queue_depth": 0,
                 *           "held_by": "gateway-1-12-k3x9"
                 *         }
                 *       ],
                 *       "has_more": false,
                 *       "next_cursor": null
                 *     }
                 */
                "application/json": components["schemas"]["BackendList"];
            };
        };
        /** @description `endpoint_not_found`: Webhook endpoint not found */
        endpoint_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "endpoint_not_found";
                };
            };
        };
        /** @description `store_unavailable`: Store unavailable. `shutting_down`: Shutting down */
        "store_unavailable-and-1-more-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-optional"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "store_unavailable" | "shutting_down";
                };
            };
        };
        /** @description `event_not_found`: Event not found */
        event_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "event_not_found";
                };
            };
        };
        /** @description The event will be sent. */
        "answer-202": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "object": "redelivery",
                 *       "event_id": "evt_93ea97acbfc0f0feeac794302d",
                 *       "deliveries": [
                 *         "dlv_1d3934da18de025aa6a6ebc381"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Redelivery"];
            };
        };
        /** @description `delivery_not_found`: Delivery not found */
        delivery_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "delivery_not_found";
                };
            };
        };
        /** @description `key_not_found`: Key not found */
        key_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "key_not_found";
                };
            };
        };
        /** @description As it is now. */
        "answer-200-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "acme",
                 *       "object": "client",
                 *       "source": "stored",
                 *       "description": "The shop",
                 *       "backends": [
                 *         "main"
                 *       ],
                 *       "limits": {
                 *         "requests_per_minute": 600,
                 *         "videos_per_month": 1000,
                 *         "credits_per_month": null,
                 *         "queued_videos": 100,
                 *         "streams": 20
                 *       },
                 *       "enabled": true,
                 *       "disabled_at": null,
                 *       "created_at": "2026-11-20T12:00:00.000Z",
                 *       "updated_at": "2026-11-20T12:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["Client"];
            };
        };
        /** @description `client_not_found`: Client not found */
        client_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "client_not_found";
                };
            };
        };
        /** @description `client_configured`: The client is in the configuration */
        client_configured: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-optional"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "client_configured";
                };
            };
        };
        /** @description `rule_not_found`: Split not found */
        rule_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "rule_not_found";
                };
            };
        };
        /** @description `ramp_refused`: The split stays as it is */
        ramp_refused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-optional"];
                RateLimit: components["headers"]["RateLimit-optional"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "ramp_refused";
                };
            };
        };
        /** @description `invalid_request`: Invalid request */
        "invalid_request-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "invalid_request";
                };
            };
        };
        /** @description `internal_error`: Internal error */
        "internal_error-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "internal_error";
                };
            };
        };
        /** @description Nothing changed. */
        "answer-304": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description You repeated the `Idempotency-Key` of a job that has ended. Nothing is charged. */
        "answer-200-3": {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                Location: components["headers"]["Primary-Location"];
                "Content-Location": components["headers"]["Primary-Content-Location"];
                "Service-Operation-Id": components["headers"]["Primary-Service-Operation-Id"];
                "X-Service-Operation-Id": components["headers"]["Primary-X-Service-Operation-Id"];
                "Service-Request-Id": components["headers"]["Primary-Service-Request-Id"];
                "X-Service-Request-Id": components["headers"]["Primary-X-Service-Request-Id"];
                "X-Service-Credits-Required": components["headers"]["Primary-X-Service-Credits-Required-optional"];
                "X-Service-Credits-Remaining": components["headers"]["Primary-X-Service-Credits-Remaining-optional"];
                "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                "Talkbridge-Warning": components["headers"]["Primary-Talkbridge-Warning-optional"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *       "operation_id": "api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *       "request_id": "api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *       "status_url": "/api/v1/videos/api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *       "content_location": "/api/v1/videos/api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *       "status": "completed",
                 *       "video_url": "https://cdn.example/7Hq2.mp4?signature=abc"
                 *     }
                 */
                "application/json": components["schemas"]["PrimaryVideoJob"];
            };
        };
        /** @description The job is queued. Or you repeated the `Idempotency-Key` of a job that has not ended. */
        "answer-202-2": {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                Location: components["headers"]["Primary-Location"];
                "Content-Location": components["headers"]["Primary-Content-Location"];
                "Service-Operation-Id": components["headers"]["Primary-Service-Operation-Id"];
                "X-Service-Operation-Id": components["headers"]["Primary-X-Service-Operation-Id"];
                "Service-Request-Id": components["headers"]["Primary-Service-Request-Id"];
                "X-Service-Request-Id": components["headers"]["Primary-X-Service-Request-Id"];
                "Retry-After": components["headers"]["Primary-Retry-After"];
                "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At"];
                "X-Service-Credits-Required": components["headers"]["Primary-X-Service-Credits-Required-optional"];
                "X-Service-Credits-Remaining": components["headers"]["Primary-X-Service-Credits-Remaining-optional"];
                "Talkbridge-Warning": components["headers"]["Primary-Talkbridge-Warning-optional"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *       "operation_id": "api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *       "request_id": "api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *       "status_url": "/api/v1/videos/api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *       "content_location": "/api/v1/videos/api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *       "status": "queued",
                 *       "next_poll_at": "2026-11-20T12:00:12.000Z",
                 *       "nextPollAt": "2026-11-20T12:00:12.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["PrimaryVideoJob"];
            };
        };
        /** @description `unauthorized`: Missing or unknown key */
        unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["Primary-WWW-Authenticate-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `insufficient_credits`: Not enough credits */
        "insufficient_credits-2": {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `insufficient_scope`: The key lacks the scope */
        "insufficient_scope-2": {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `idempotency_key_conflict`: Idempotency-Key used with another request. `idempotency_key_in_progress`: The first request with this key is still running */
        "idempotency_key_conflict-and-1-more-2": {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                Location: components["headers"]["Primary-Location-optional"];
                "Content-Location": components["headers"]["Primary-Content-Location-optional"];
                "Service-Operation-Id": components["headers"]["Primary-Service-Operation-Id-optional"];
                "X-Service-Operation-Id": components["headers"]["Primary-X-Service-Operation-Id-optional"];
                "Service-Request-Id": components["headers"]["Primary-Service-Request-Id-optional"];
                "X-Service-Request-Id": components["headers"]["Primary-X-Service-Request-Id-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `payload_too_large`: Body too large */
        "payload_too_large-2": {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `unsupported_media_type`: Unsupported media type */
        "unsupported_media_type-2": {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `rate_limited`: Rate limited. `monthly_quota_exceeded`: Quota exceeded. `concurrent_job_limit_reached`: Too many waiting videos */
        "rate_limited-and-2-more-2": {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `internal_error`: Internal error */
        "internal_error-3": {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset-optional"];
                "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `backend_error`: Backend error, The backend refused the gateway. `backend_timeout`: Backend timeout */
        "backend_error-and-1-more-2": {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                Location: components["headers"]["Primary-Location-optional"];
                "Content-Location": components["headers"]["Primary-Content-Location-optional"];
                "Service-Operation-Id": components["headers"]["Primary-Service-Operation-Id-optional"];
                "X-Service-Operation-Id": components["headers"]["Primary-X-Service-Operation-Id-optional"];
                "Service-Request-Id": components["headers"]["Primary-Service-Request-Id-optional"];
                "X-Service-Request-Id": components["headers"]["Primary-X-Service-Request-Id-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable, Queue full */
        temporarily_unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset-optional"];
                "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `invalid_request`: Invalid request */
        "invalid_request-3": {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset-optional"];
                "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `rate_limited`: Rate limited. `monthly_quota_exceeded`: Quota exceeded */
        "rate_limited-and-1-more": {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
        "temporarily_unavailable-2": {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset-optional"];
                "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `puppet_not_found`: Puppet not found */
        puppet_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrimaryError"];
            };
        };
        /** @description `unauthorized`: Missing or unknown key */
        "unauthorized-2": {
            headers: {
                "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset-optional"];
                "WWW-Authenticate": components["headers"]["Alternate-WWW-Authenticate-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AlternateError"];
            };
        };
        /** @description `forbidden`: The key lacks the scope */
        forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AlternateError"];
            };
        };
        /** @description `internal`: Internal error */
        internal: {
            headers: {
                "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset-optional"];
                "Retry-After": components["headers"]["Alternate-Retry-After-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AlternateError"];
            };
        };
        /** @description `backend_error`: Backend error, The backend refused the gateway */
        backend_error: {
            headers: {
                "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Alternate-Retry-After-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AlternateError"];
            };
        };
        /** @description `backend_timeout`: Backend timeout */
        "backend_timeout-2": {
            headers: {
                "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset-optional"];
                "Retry-After": components["headers"]["Alternate-Retry-After-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AlternateError"];
            };
        };
        /** @description `invalid_request`: Invalid request */
        "invalid_request-4": {
            headers: {
                "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AlternateError"];
            };
        };
        /** @description `rate_limited`: Rate limited */
        "rate_limited-2": {
            headers: {
                "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Alternate-Retry-After-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AlternateError"];
            };
        };
        /** @description `video_not_found`: Video not found */
        "video_not_found-2": {
            headers: {
                "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AlternateError"];
            };
        };
        /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
        "temporarily_unavailable-3": {
            headers: {
                "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit-optional"];
                "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining-optional"];
                "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset-optional"];
                "Retry-After": components["headers"]["Alternate-Retry-After-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AlternateError"];
            };
        };
        /** @description `rate_limited`: Rate limited. `quota_exceeded`: Quota exceeded */
        "rate_limited-and-1-more-2": {
            headers: {
                "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Alternate-Retry-After-optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AlternateError"];
            };
        };
    };
    parameters: {
        /** @description A key of your choice, such as `order-1001`. The same key and body make one thing, however often you send them. The same key with another body gets 409. */
        "Idempotency-Key": string;
        /**
         * @description `wait=N`: the answer comes when the video has ended, or after N seconds. More than 60 counts as 60.
         * @example wait=30
         */
        Prefer: string;
        /** @description The number of items on a page. Values outside the range get 400 */
        limit: number;
        /** @description The `next_cursor` of the previous page */
        cursor: string;
        /** @description Only videos with this status */
        status: "queued" | "processing" | "completed" | "failed" | "canceled";
        /** @description Only videos of this backend */
        backend: string;
        /** @description Only videos created after this time */
        created_after: string;
        /** @description Only videos created before this time */
        created_before: string;
        /** @description Only videos whose metadata has exactly this value: `metadata=1001` under any key, `metadata[order]=1001` under the key `order`. Give one of them. With other filters, a page may be short while `has_more` is true. */
        metadata: string | {
            [key: string]: string;
        };
        /**
         * @description The id, as an earlier answer showed it.
         * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
         */
        id: string;
        /** @description Adds `timeline`: what happened to the video, step by step */
        expand: "timeline";
        /**
         * @description The `ETag` of an earlier answer. You get 304 while nothing changed.
         * @example "q2h0xGkLrJmZ8w4Tz1VbN5sYc7d"
         */
        "If-None-Match": string;
        /** @description The last `id:` that you received. The stream continues after it. */
        "Last-Event-ID": string;
        /**
         * @description The id, as an earlier answer showed it.
         * @example vid_01M7WA9S7VF4P8S27TV0W2QQJC
         */
        "id-2": string;
        /** @description Only items of this backend */
        "backend-2": string;
        /**
         * @description The id, as an earlier answer showed it.
         * @example main:puppet_cleo
         */
        "id-3": string;
        /**
         * @description The name of a backend of the configuration.
         * @example main
         */
        name: string;
        /**
         * @description The id, as an earlier answer showed it.
         * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
         */
        "id-4": string;
        /**
         * @description Only events of these types, separated by commas
         * @example video.completed,video.failed
         */
        types: string;
        /** @description Only events of this type */
        type: "video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "quota.warning" | "endpoint.disabled" | "routing.stopped";
        /** @description Only events of this video */
        video: string;
        /** @description Only events from this time on */
        since: string;
        /** @description Only events before this time */
        until: string;
        /**
         * @description The id, as an earlier answer showed it.
         * @example evt_93ea97acbfc0f0feeac794302d
         */
        "id-5": string;
        /** @description Only deliveries about this video */
        "video-2": string;
        /** @description Only deliveries of this event */
        event: string;
        /** @description Only deliveries with this status */
        "status-2": "pending" | "delivered" | "failed" | "held";
        /** @description Adds `attempts` to each delivery: when it was sent, and what the receiver answered */
        "expand-2": "attempts";
        /**
         * @description The id, as an earlier answer showed it.
         * @example dlv_1d3934da18de025aa6a6ebc381
         */
        "id-6": string;
        /** @description Only what belongs to this client. Default: all clients */
        client: string;
        /**
         * @description The id, as an earlier answer showed it.
         * @example key_01M7WA9S7VF4P8S27TV0W2QQJB
         */
        "id-7": string;
        /**
         * @description The id, as an earlier answer showed it.
         * @example studio
         */
        "id-8": string;
        /**
         * @description The id, as an earlier answer showed it.
         * @example puppet_dov
         */
        puppetId: string;
        /**
         * @description The id, as an earlier answer showed it.
         * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
         */
        "id-9": string;
    };
    requestBodies: never;
    headers: {
        /** @description The request's own id if it is valid. Otherwise a new one. */
        "X-Request-Id": string;
        /** @description Seconds to wait before you retry or poll again. */
        "Retry-After": number;
        /** @description Seconds to wait before you retry or poll again. */
        "Retry-After-optional": number;
        /** @description The path of the new resource, or the URL of a redirect. */
        Location: string;
        /** @description Send it back in `If-None-Match`. */
        ETag: string;
        /** @description The `wait=N` of your `Prefer` that the gateway applied. */
        "Preference-Applied-optional": string;
        /** @description You used this `Idempotency-Key` before. The answer shows what it made, as it is now. */
        "Idempotency-Replayed-optional": "true";
        /** @description `stale`: the answer is from the cache, and the gateway refreshes it now. */
        "X-Cache": "hit" | "miss" | "stale";
        /** @description `stale`: the answer is from the cache, and the gateway refreshes it now. */
        "X-Cache-optional": "hit" | "miss" | "stale";
        /** @description The list is incomplete: whose items it lacks, and why. `incomplete; backend=NAME; reason=CODE`, separated by commas. */
        "Talkbridge-Warning-optional": string;
        /** @description The authentication scheme to use. */
        "WWW-Authenticate": "Bearer";
        /** @description The requests that you have left (`r`), and the seconds until you get more (`t`). A structured field of an IETF draft. */
        RateLimit: string;
        /** @description The requests that you have left (`r`), and the seconds until you get more (`t`). A structured field of an IETF draft. */
        "RateLimit-optional": string;
        /** @description The requests (`q`) that you may send in a sliding window of seconds (`w`). A structured field of an IETF draft. */
        "RateLimit-Policy": string;
        /** @description The requests (`q`) that you may send in a sliding window of seconds (`w`). A structured field of an IETF draft. */
        "RateLimit-Policy-optional": string;
        /** @description The requests that you may send in a minute. */
        "X-RateLimit-Limit": number;
        /** @description The requests that you may send in a minute. */
        "X-RateLimit-Limit-optional": number;
        /** @description The requests that you have left in this minute. */
        "X-RateLimit-Remaining": number;
        /** @description The requests that you have left in this minute. */
        "X-RateLimit-Remaining-optional": number;
        /** @description The time when you get more requests, in Unix seconds. */
        "X-RateLimit-Reset": number;
        /** @description The time when you get more requests, in Unix seconds. */
        "X-RateLimit-Reset-optional": number;
        /** @description Added by the gateway: the request's own id if it is valid. Otherwise a new one. */
        "Primary-X-Request-Id": string;
        /** @description Added by the gateway: what it could not pass on, such as `option_ignored; param=language, unknown_field; param=mood`. */
        "Primary-Talkbridge-Warning-optional": string;
        /** @description The requests that you may send in a minute. */
        "Primary-X-RateLimit-Limit": number;
        /** @description The requests that you may send in a minute. */
        "Primary-X-RateLimit-Limit-optional": number;
        /** @description The requests that you have left in this minute. */
        "Primary-X-RateLimit-Remaining": number;
        /** @description The requests that you have left in this minute. */
        "Primary-X-RateLimit-Remaining-optional": number;
        /** @description The time when the window resets, in Unix seconds. */
        "Primary-X-RateLimit-Reset": number;
        /** @description The time when the window resets, in Unix seconds. */
        "Primary-X-RateLimit-Reset-optional": number;
        /** @description The authentication scheme to use. */
        "Primary-WWW-Authenticate-optional": string;
        /** @description Seconds to wait before you retry or poll again. */
        "Primary-Retry-After": number;
        /** @description Seconds to wait before you retry or poll again. */
        "Primary-Retry-After-optional": number;
        /** @description The same as a time. It equals `next_poll_at` of the body. */
        "Primary-X-Service-Next-Poll-At": string;
        /** @description The same as a time. It equals `next_poll_at` of the body. */
        "Primary-X-Service-Next-Poll-At-optional": string;
        /** @description The absolute URL where you read the status of the job. */
        "Primary-Location": string;
        /** @description The absolute URL where you read the status of the job. */
        "Primary-Location-optional": string;
        /** @description The absolute URL where you read the status of the job. */
        "Primary-Content-Location": string;
        /** @description The absolute URL where you read the status of the job. */
        "Primary-Content-Location-optional": string;
        /** @description The public id of the job. */
        "Primary-Service-Operation-Id": string;
        /** @description The public id of the job. */
        "Primary-Service-Operation-Id-optional": string;
        /** @description The public id of the job. */
        "Primary-X-Service-Operation-Id": string;
        /** @description The public id of the job. */
        "Primary-X-Service-Operation-Id-optional": string;
        /** @description The public id of the job. */
        "Primary-Service-Request-Id": string;
        /** @description The public id of the job. */
        "Primary-Service-Request-Id-optional": string;
        /** @description The public id of the job. */
        "Primary-X-Service-Request-Id": string;
        /** @description The public id of the job. */
        "Primary-X-Service-Request-Id-optional": string;
        /** @description The credits that this video cost. */
        "Primary-X-Service-Credits-Required-optional": number;
        /** @description The credits that are left after it. */
        "Primary-X-Service-Credits-Remaining-optional": number;
        /** @description Added by the gateway: the request's own id if it is valid. Otherwise a new one. */
        "Alternate-X-Request-Id": string;
        /** @description Added by the gateway: what it could not pass on, such as `option_ignored; param=language, unknown_field; param=mood`. */
        "Alternate-Talkbridge-Warning-optional": string;
        /** @description The requests that you may send in a minute. */
        "Alternate-X-RateLimit-Limit": number;
        /** @description The requests that you may send in a minute. */
        "Alternate-X-RateLimit-Limit-optional": number;
        /** @description The requests that you have left in this minute. */
        "Alternate-X-RateLimit-Remaining": number;
        /** @description The requests that you have left in this minute. */
        "Alternate-X-RateLimit-Remaining-optional": number;
        /** @description The time when the window resets, in Unix seconds. */
        "Alternate-X-RateLimit-Reset": number;
        /** @description The time when the window resets, in Unix seconds. */
        "Alternate-X-RateLimit-Reset-optional": number;
        /** @description The authentication scheme to use. */
        "Alternate-WWW-Authenticate-optional": string;
        /** @description Seconds to wait before you retry. */
        "Alternate-Retry-After-optional": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listVideos: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
                /** @description Only videos with this status */
                status?: components["parameters"]["status"];
                /** @description Only videos of this backend */
                backend?: components["parameters"]["backend"];
                /** @description Only videos created after this time */
                created_after?: components["parameters"]["created_after"];
                /** @description Only videos created before this time */
                created_before?: components["parameters"]["created_before"];
                /** @description Only videos whose metadata has exactly this value: `metadata=1001` under any key, `metadata[order]=1001` under the key `order`. Give one of them. With other filters, a page may be short while `has_more` is true. */
                metadata?: components["parameters"]["metadata"];
                /** @description Lists what the backend itself knows. Needs `backend`, and the scope `backends:read_all` */
                origin?: "backend";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Cache": components["headers"]["X-Cache-optional"];
                    "Talkbridge-Warning": components["headers"]["Talkbridge-Warning-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "object": "video",
                     *           "status": "completed",
                     *           "progress": 1,
                     *           "backend": "main",
                     *           "interface": "primary",
                     *           "backend_job_id": "api_video_7Hq2",
                     *           "source": "text",
                     *           "input": {
                     *             "image_url": "https://example.com/anna.png",
                     *             "puppet_id": null,
                     *             "text": "Hello from Talkbridge.",
                     *             "audio_url": null,
                     *             "upload_id": null,
                     *             "voice_id": "main:sandbox-en-us-ava",
                     *             "language": null,
                     *             "expressiveness": null,
                     *             "resolution": null
                     *           },
                     *           "video_url": "https://cdn.example/7Hq2.mp4?signature=abc",
                     *           "video_url_expires_at": "2026-11-20T13:00:41.000Z",
                     *           "thumbnail_url": null,
                     *           "duration_seconds": 4.2,
                     *           "duration_estimate_seconds": 4,
                     *           "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *           "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *           "error": null,
                     *           "credits": {
                     *             "charged": 1,
                     *             "remaining": 9
                     *           },
                     *           "warnings": [],
                     *           "metadata": {
                     *             "order": "1001"
                     *           },
                     *           "webhook_url": "https://app.example/hooks/videos",
                     *           "backend_status": "completed",
                     *           "routing": {
                     *             "chosen_by": "default",
                     *             "rule": null,
                     *             "considered": [
                     *               {
                     *                 "backend": "main",
                     *                 "verdict": "chosen",
                     *                 "reason": null
                     *               }
                     *             ]
                     *           },
                     *           "replaces": null,
                     *           "replaced_by": null,
                     *           "queue": null,
                     *           "created_at": "2026-11-20T12:00:00.000Z",
                     *           "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *           "completed_at": "2026-11-20T12:00:41.000Z",
                     *           "next_poll_at": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["VideoListOfOrigin"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["not_found"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            422: components["responses"]["capability_not_supported"];
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            503: components["responses"]["store_unavailable-and-1-more"];
            504: components["responses"]["backend_timeout"];
        };
    };
    createVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice, such as `order-1001`. The same key and body make one thing, however often you send them. The same key with another body gets 409. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `wait=N`: the answer comes when the video has ended, or after N seconds. More than 60 counts as 60.
                 * @example wait=30
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateVideo"];
            };
        };
        responses: {
            /** @description The video has ended. You waited for it with `Prefer`, or you repeated the `Idempotency-Key` of an ended video. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied-optional"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "object": "video",
                     *       "status": "completed",
                     *       "progress": 1,
                     *       "backend": "main",
                     *       "interface": "primary",
                     *       "backend_job_id": "api_video_7Hq2",
                     *       "source": "text",
                     *       "input": {
                     *         "image_url": "https://example.com/anna.png",
                     *         "puppet_id": null,
                     *         "text": "Hello from Talkbridge.",
                     *         "audio_url": null,
                     *         "upload_id": null,
                     *         "voice_id": "main:sandbox-en-us-ava",
                     *         "language": null,
                     *         "expressiveness": null,
                     *         "resolution": null
                     *       },
                     *       "video_url": "https://cdn.example/7Hq2.mp4?signature=abc",
                     *       "video_url_expires_at": "2026-11-20T13:00:41.000Z",
                     *       "thumbnail_url": null,
                     *       "duration_seconds": 4.2,
                     *       "duration_estimate_seconds": 4,
                     *       "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *       "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *       "error": null,
                     *       "credits": {
                     *         "charged": 1,
                     *         "remaining": 9
                     *       },
                     *       "warnings": [],
                     *       "metadata": {
                     *         "order": "1001"
                     *       },
                     *       "webhook_url": "https://app.example/hooks/videos",
                     *       "backend_status": "completed",
                     *       "routing": {
                     *         "chosen_by": "default",
                     *         "rule": null,
                     *         "considered": [
                     *           {
                     *             "backend": "main",
                     *             "verdict": "chosen",
                     *             "reason": null
                     *           }
                     *         ]
                     *       },
                     *       "replaces": null,
                     *       "replaced_by": null,
                     *       "queue": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *       "completed_at": "2026-11-20T12:00:41.000Z",
                     *       "next_poll_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Video"];
                };
            };
            /** @description The gateway accepted the video. The answer is also 202 while nobody knows whether the backend received it. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Preference-Applied": components["headers"]["Preference-Applied-optional"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "object": "video",
                     *       "status": "queued",
                     *       "progress": null,
                     *       "backend": "main",
                     *       "interface": "primary",
                     *       "backend_job_id": "api_video_7Hq2",
                     *       "source": "text",
                     *       "input": {
                     *         "image_url": "https://example.com/anna.png",
                     *         "puppet_id": null,
                     *         "text": "Hello from Talkbridge.",
                     *         "audio_url": null,
                     *         "upload_id": null,
                     *         "voice_id": "main:sandbox-en-us-ava",
                     *         "language": null,
                     *         "expressiveness": null,
                     *         "resolution": null
                     *       },
                     *       "video_url": null,
                     *       "video_url_expires_at": null,
                     *       "thumbnail_url": null,
                     *       "duration_seconds": null,
                     *       "duration_estimate_seconds": 4,
                     *       "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *       "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *       "error": null,
                     *       "credits": {
                     *         "charged": 1,
                     *         "remaining": 9
                     *       },
                     *       "warnings": [],
                     *       "metadata": {
                     *         "order": "1001"
                     *       },
                     *       "webhook_url": "https://app.example/hooks/videos",
                     *       "backend_status": "queued",
                     *       "routing": {
                     *         "chosen_by": "default",
                     *         "rule": null,
                     *         "considered": [
                     *           {
                     *             "backend": "main",
                     *             "verdict": "chosen",
                     *             "reason": null
                     *           }
                     *         ]
                     *       },
                     *       "replaces": null,
                     *       "replaced_by": null,
                     *       "queue": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *       "completed_at": null,
                     *       "next_poll_at": "2026-11-20T12:00:15.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Video"];
                };
            };
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON. `idempotency_key_invalid`: Invalid Idempotency-Key. `invalid_image`: Unsupported image. `upload_not_found`: Upload not found. `upload_not_finished`: Upload not finished */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "invalid_request" | "invalid_json" | "idempotency_key_invalid" | "invalid_image" | "upload_not_found" | "upload_not_finished";
                    };
                };
            };
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            403: components["responses"]["insufficient_scope"];
            /** @description `not_found`: Not found. `voice_not_found`: Voice not found. `puppet_not_found`: Puppet not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "not_found" | "voice_not_found" | "puppet_not_found";
                    };
                };
            };
            406: components["responses"]["not_acceptable"];
            409: components["responses"]["idempotency_key_conflict-and-1-more"];
            413: components["responses"]["payload_too_large-and-1-more"];
            415: components["responses"]["unsupported_media_type"];
            /** @description `capability_not_supported`: The backend cannot do this. `webhook_url_not_allowed`: Webhook URL not allowed. `audio_url_not_allowed`: Audio URL not allowed. `audio_unreachable`: Audio cannot be fetched */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "capability_not_supported" | "webhook_url_not_allowed" | "audio_url_not_allowed" | "audio_unreachable";
                    };
                };
            };
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable. `upload_check_unavailable`: Upload check unavailable. `queue_full`: Queue full */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After-optional"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "store_unavailable" | "backend_unavailable" | "upload_check_unavailable" | "queue_full";
                    };
                };
            };
            504: components["responses"]["backend_timeout"];
        };
    };
    checkVideo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateVideo"];
            };
        };
        responses: {
            /** @description What each backend would do with the request. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "check",
                     *       "chosen": "main",
                     *       "routing": {
                     *         "chosen_by": "default",
                     *         "rule": null,
                     *         "considered": [
                     *           {
                     *             "backend": "main",
                     *             "verdict": "chosen",
                     *             "reason": null
                     *           }
                     *         ]
                     *       },
                     *       "backends": [
                     *         {
                     *           "backend": "main",
                     *           "verdict": "ok",
                     *           "warnings": [],
                     *           "problem": null,
                     *           "request": {
                     *             "method": "POST",
                     *             "path": "/api/v1/videos/text",
                     *             "headers": {
                     *               "authorization": "Bearer ***",
                     *               "content-type": "application/json"
                     *             },
                     *             "body": {
                     *               "image_url": "https://example.com/anna.png",
                     *               "text": "Hello from Talkbridge."
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "backend": "alt",
                     *           "verdict": "unsupported",
                     *           "warnings": [],
                     *           "problem": {
                     *             "code": "capability_not_supported",
                     *             "param": "image_url",
                     *             "message": "it takes saved portraits only"
                     *           },
                     *           "request": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Check"];
                };
            };
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON. `upload_not_found`: Upload not found */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "invalid_request" | "invalid_json" | "upload_not_found";
                    };
                };
            };
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["webhook_url_not_allowed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    importVideo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportVideo"];
            };
        };
        responses: {
            /** @description The job was imported before. This is its video. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "object": "video",
                     *       "status": "queued",
                     *       "progress": null,
                     *       "backend": "main",
                     *       "interface": "primary",
                     *       "backend_job_id": "api_video_7Hq2",
                     *       "source": "import",
                     *       "input": {
                     *         "image_url": "https://example.com/anna.png",
                     *         "puppet_id": null,
                     *         "text": "Hello from Talkbridge.",
                     *         "audio_url": null,
                     *         "upload_id": null,
                     *         "voice_id": "main:sandbox-en-us-ava",
                     *         "language": null,
                     *         "expressiveness": null,
                     *         "resolution": null
                     *       },
                     *       "video_url": null,
                     *       "video_url_expires_at": null,
                     *       "thumbnail_url": null,
                     *       "duration_seconds": null,
                     *       "duration_estimate_seconds": 4,
                     *       "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *       "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *       "error": null,
                     *       "credits": {
                     *         "charged": 1,
                     *         "remaining": 9
                     *       },
                     *       "warnings": [],
                     *       "metadata": {
                     *         "order": "1001"
                     *       },
                     *       "webhook_url": "https://app.example/hooks/videos",
                     *       "backend_status": "queued",
                     *       "routing": {
                     *         "chosen_by": "default",
                     *         "rule": null,
                     *         "considered": [
                     *           {
                     *             "backend": "main",
                     *             "verdict": "chosen",
                     *             "reason": null
                     *           }
                     *         ]
                     *       },
                     *       "replaces": null,
                     *       "replaced_by": null,
                     *       "queue": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *       "completed_at": null,
                     *       "next_poll_at": "2026-11-20T12:00:15.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Video"];
                };
            };
            /** @description The job is now a video of yours. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "object": "video",
                     *       "status": "queued",
                     *       "progress": null,
                     *       "backend": "main",
                     *       "interface": "primary",
                     *       "backend_job_id": "api_video_7Hq2",
                     *       "source": "import",
                     *       "input": {
                     *         "image_url": "https://example.com/anna.png",
                     *         "puppet_id": null,
                     *         "text": "Hello from Talkbridge.",
                     *         "audio_url": null,
                     *         "upload_id": null,
                     *         "voice_id": "main:sandbox-en-us-ava",
                     *         "language": null,
                     *         "expressiveness": null,
                     *         "resolution": null
                     *       },
                     *       "video_url": null,
                     *       "video_url_expires_at": null,
                     *       "thumbnail_url": null,
                     *       "duration_seconds": null,
                     *       "duration_estimate_seconds": 4,
                     *       "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *       "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *       "error": null,
                     *       "credits": {
                     *         "charged": 1,
                     *         "remaining": 9
                     *       },
                     *       "warnings": [],
                     *       "metadata": {
                     *         "order": "1001"
                     *       },
                     *       "webhook_url": "https://app.example/hooks/videos",
                     *       "backend_status": "queued",
                     *       "routing": {
                     *         "chosen_by": "default",
                     *         "rule": null,
                     *         "considered": [
                     *           {
                     *             "backend": "main",
                     *             "verdict": "chosen",
                     *             "reason": null
                     *           }
                     *         ]
                     *       },
                     *       "replaces": null,
                     *       "replaced_by": null,
                     *       "queue": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *       "completed_at": null,
                     *       "next_poll_at": "2026-11-20T12:00:15.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Video"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["not_found-and-1-more"];
            406: components["responses"]["not_acceptable"];
            /** @description `import_in_doubt`: A create in doubt may have made this job */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After-optional"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "import_in_doubt";
                    };
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["webhook_url_not_allowed"];
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            503: components["responses"]["store_unavailable-and-1-more"];
            504: components["responses"]["backend_timeout"];
        };
    };
    getVideo: {
        parameters: {
            query?: {
                /** @description Adds `timeline`: what happened to the video, step by step */
                expand?: components["parameters"]["expand"];
            };
            header?: {
                /**
                 * @description `wait=N`: the answer comes when the video has ended, or after N seconds. More than 60 counts as 60.
                 * @example wait=30
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description The `ETag` of an earlier answer. You get 304 while nothing changed.
                 * @example "q2h0xGkLrJmZ8w4Tz1VbN5sYc7d"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Retry-After": components["headers"]["Retry-After-optional"];
                    "Preference-Applied": components["headers"]["Preference-Applied-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "object": "video",
                     *       "status": "completed",
                     *       "progress": 1,
                     *       "backend": "main",
                     *       "interface": "primary",
                     *       "backend_job_id": "api_video_7Hq2",
                     *       "source": "text",
                     *       "input": {
                     *         "image_url": "https://example.com/anna.png",
                     *         "puppet_id": null,
                     *         "text": "Hello from Talkbridge.",
                     *         "audio_url": null,
                     *         "upload_id": null,
                     *         "voice_id": "main:sandbox-en-us-ava",
                     *         "language": null,
                     *         "expressiveness": null,
                     *         "resolution": null
                     *       },
                     *       "video_url": "https://cdn.example/7Hq2.mp4?signature=abc",
                     *       "video_url_expires_at": "2026-11-20T13:00:41.000Z",
                     *       "thumbnail_url": null,
                     *       "duration_seconds": 4.2,
                     *       "duration_estimate_seconds": 4,
                     *       "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *       "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *       "error": null,
                     *       "credits": {
                     *         "charged": 1,
                     *         "remaining": 9
                     *       },
                     *       "warnings": [],
                     *       "metadata": {
                     *         "order": "1001"
                     *       },
                     *       "webhook_url": "https://app.example/hooks/videos",
                     *       "backend_status": "completed",
                     *       "routing": {
                     *         "chosen_by": "default",
                     *         "rule": null,
                     *         "considered": [
                     *           {
                     *             "backend": "main",
                     *             "verdict": "chosen",
                     *             "reason": null
                     *           }
                     *         ]
                     *       },
                     *       "replaces": null,
                     *       "replaced_by": null,
                     *       "queue": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *       "completed_at": "2026-11-20T12:00:41.000Z",
                     *       "next_poll_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["VideoWithTimeline"];
                };
            };
            /** @description Nothing changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Retry-After": components["headers"]["Retry-After-optional"];
                    "Preference-Applied": components["headers"]["Preference-Applied-optional"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["video_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    streamVideoEvents: {
        parameters: {
            query?: {
                /** @description The signature in place of a key. It is part of every `events_url` */
                sig?: string;
            };
            header?: {
                /** @description The last `id:` that you received. The stream continues after it. */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the video has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description You already have the last event. Do not reconnect. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["video_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    cancelVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJC
                 */
                id: components["parameters"]["id-2"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The video is canceled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "object": "video",
                     *       "status": "canceled",
                     *       "progress": null,
                     *       "backend": "main",
                     *       "interface": "primary",
                     *       "backend_job_id": null,
                     *       "source": "text",
                     *       "input": {
                     *         "image_url": "https://example.com/anna.png",
                     *         "puppet_id": null,
                     *         "text": "Hello from Talkbridge.",
                     *         "audio_url": null,
                     *         "upload_id": null,
                     *         "voice_id": "main:sandbox-en-us-ava",
                     *         "language": null,
                     *         "expressiveness": null,
                     *         "resolution": null
                     *       },
                     *       "video_url": null,
                     *       "video_url_expires_at": null,
                     *       "thumbnail_url": null,
                     *       "duration_seconds": null,
                     *       "duration_estimate_seconds": 4,
                     *       "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *       "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *       "error": null,
                     *       "credits": {
                     *         "charged": 1,
                     *         "remaining": 9
                     *       },
                     *       "warnings": [],
                     *       "metadata": {
                     *         "order": "1001"
                     *       },
                     *       "webhook_url": "https://app.example/hooks/videos",
                     *       "backend_status": "queued",
                     *       "routing": {
                     *         "chosen_by": "default",
                     *         "rule": null,
                     *         "considered": [
                     *           {
                     *             "backend": "main",
                     *             "verdict": "chosen",
                     *             "reason": null
                     *           }
                     *         ]
                     *       },
                     *       "replaces": null,
                     *       "replaced_by": null,
                     *       "queue": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *       "completed_at": "2026-11-20T12:00:00.000Z",
                     *       "next_poll_at": "2026-11-20T12:00:15.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Video"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["video_not_found"];
            406: components["responses"]["not_acceptable"];
            409: components["responses"]["video_not_cancelable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getVideoDownload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A link that works now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "download_url": "https://cdn.example/7Hq2.mp4?signature=abc",
                     *       "expires_at": "2026-11-20T13:00:41.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Download"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["not_found-and-1-more"];
            406: components["responses"]["not_acceptable"];
            409: components["responses"]["video_not_completed"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            503: components["responses"]["store_unavailable-and-1-more"];
            504: components["responses"]["backend_timeout"];
        };
    };
    getVideoContent: {
        parameters: {
            query?: {
                /** @description The signature in place of a key. It is part of every `content_url` */
                sig?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A redirect to a link that works now. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["not_found-and-1-more"];
            406: components["responses"]["not_acceptable"];
            409: components["responses"]["video_not_completed"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            503: components["responses"]["store_unavailable-and-1-more"];
            504: components["responses"]["backend_timeout"];
            /** @description Every other answer is a problem. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listVoices: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
                /** @description Only items of this backend */
                backend?: components["parameters"]["backend-2"];
                /** @description The beginning of a language tag (BCP 47): `en` finds `en-GB` */
                language?: string;
                gender?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Cache": components["headers"]["X-Cache"];
                    "Talkbridge-Warning": components["headers"]["Talkbridge-Warning-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "main:sandbox-en-us-ava",
                     *           "object": "voice",
                     *           "backend": "main",
                     *           "name": "Ava",
                     *           "provider": "sandbox",
                     *           "language": "English (United States)",
                     *           "language_code": "en-US",
                     *           "gender": "female",
                     *           "preview_url": "https://backend.example/voices/sandbox-en-us-ava.wav"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["VoiceList"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["not_found"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            503: components["responses"]["store_unavailable-and-1-more"];
            504: components["responses"]["backend_timeout"];
        };
    };
    listPuppets: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
                /** @description Only items of this backend */
                backend?: components["parameters"]["backend-2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Cache": components["headers"]["X-Cache"];
                    "Talkbridge-Warning": components["headers"]["Talkbridge-Warning-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "main:puppet_ada",
                     *           "object": "puppet",
                     *           "backend": "main",
                     *           "name": "Ada",
                     *           "type": "custom",
                     *           "image_url": "https://example.com/ada.png",
                     *           "thumbnail_url": null,
                     *           "created_at": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PuppetList"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["not_found"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            503: components["responses"]["store_unavailable-and-1-more"];
            504: components["responses"]["backend_timeout"];
        };
    };
    createPuppet: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice, such as `order-1001`. The same key and body make one thing, however often you send them. The same key with another body gets 409. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePuppet"];
            };
        };
        responses: {
            /** @description You used this `Idempotency-Key` before. This is the portrait that it made. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-optional"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "main:puppet_ada",
                     *       "object": "puppet",
                     *       "backend": "main",
                     *       "name": "Ada",
                     *       "type": "custom",
                     *       "image_url": "https://example.com/ada.png",
                     *       "thumbnail_url": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Puppet"];
                };
            };
            /** @description The portrait is saved. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "main:puppet_ada",
                     *       "object": "puppet",
                     *       "backend": "main",
                     *       "name": "Ada",
                     *       "type": "custom",
                     *       "image_url": "https://example.com/ada.png",
                     *       "thumbnail_url": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Puppet"];
                };
            };
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON. `idempotency_key_invalid`: Invalid Idempotency-Key. `invalid_image`: Unsupported image */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "invalid_request" | "invalid_json" | "idempotency_key_invalid" | "invalid_image";
                    };
                };
            };
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["not_found-and-1-more-2"];
            406: components["responses"]["not_acceptable"];
            409: components["responses"]["idempotency_key_conflict-and-1-more"];
            413: components["responses"]["payload_too_large-and-1-more"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["capability_not_supported"];
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            503: components["responses"]["store_unavailable-and-1-more"];
            504: components["responses"]["backend_timeout"];
        };
    };
    getPuppet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example main:puppet_cleo
                 */
                id: components["parameters"]["id-3"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The portrait, as it is in the catalogue. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Cache": components["headers"]["X-Cache-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "main:puppet_ada",
                     *       "object": "puppet",
                     *       "backend": "main",
                     *       "name": "Ada",
                     *       "type": "custom",
                     *       "image_url": "https://example.com/ada.png",
                     *       "thumbnail_url": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Puppet"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["not_found-and-1-more-2"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            503: components["responses"]["store_unavailable-and-1-more"];
            504: components["responses"]["backend_timeout"];
        };
    };
    deletePuppet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example main:puppet_cleo
                 */
                id: components["parameters"]["id-3"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["answer-204"];
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            /** @description `insufficient_scope`: The key lacks the scope. `not_owner`: You are not the owner */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "insufficient_scope" | "not_owner";
                    };
                };
            };
            404: components["responses"]["not_found-and-1-more-2"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            422: components["responses"]["capability_not_supported"];
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            503: components["responses"]["store_unavailable-and-1-more"];
            504: components["responses"]["backend_timeout"];
        };
    };
    createSpeech: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSpeech"];
            };
        };
        responses: {
            /** @description The URL of the speech. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "speech",
                     *       "audio_url": "https://storage.example/speech.mp3?signature=abc",
                     *       "expires_at": "2026-11-20T13:00:00.000Z",
                     *       "duration_seconds": 2.4,
                     *       "content_type": "audio/mpeg"
                     *     }
                     */
                    "application/json": components["schemas"]["Speech"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            403: components["responses"]["insufficient_scope"];
            /** @description `not_found`: Not found. `voice_not_found`: Voice not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "not_found" | "voice_not_found";
                    };
                };
            };
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["capability_not_supported"];
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            503: components["responses"]["store_unavailable-and-1-more"];
            504: components["responses"]["backend_timeout"];
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice, such as `order-1001`. The same key and body make one thing, however often you send them. The same key with another body gets 409. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUpload"];
            };
        };
        responses: {
            /** @description You used this `Idempotency-Key` before. This is the same upload with new signatures. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "upl_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "object": "upload",
                     *       "backend": "main",
                     *       "upload_url": "https://storage.example/put/hello.mp3?signature=abc",
                     *       "method": "PUT",
                     *       "headers": {
                     *         "content-type": "audio/mpeg"
                     *       },
                     *       "audio_url": "https://storage.example/hello.mp3?signature=def",
                     *       "expires_at": "2026-11-20T12:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Upload"];
                };
            };
            /** @description The upload is reserved. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "upl_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "object": "upload",
                     *       "backend": "main",
                     *       "upload_url": "https://storage.example/put/hello.mp3?signature=abc",
                     *       "method": "PUT",
                     *       "headers": {
                     *         "content-type": "audio/mpeg"
                     *       },
                     *       "audio_url": "https://storage.example/hello.mp3?signature=def",
                     *       "expires_at": "2026-11-20T12:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Upload"];
                };
            };
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON. `idempotency_key_invalid`: Invalid Idempotency-Key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "invalid_request" | "invalid_json" | "idempotency_key_invalid";
                    };
                };
            };
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["not_found"];
            406: components["responses"]["not_acceptable"];
            409: components["responses"]["idempotency_key_conflict-and-1-more"];
            413: components["responses"]["payload_too_large-and-1-more"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["capability_not_supported"];
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable. `upload_check_unavailable`: Upload check unavailable */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After-optional"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "store_unavailable" | "backend_unavailable" | "upload_check_unavailable";
                    };
                };
            };
            504: components["responses"]["backend_timeout"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "overview",
                     *       "at": "2026-11-20T12:00:41.000Z",
                     *       "client": "acme",
                     *       "videos": {
                     *         "waiting": 3,
                     *         "queued": 1,
                     *         "processing": 1,
                     *         "doubtful": null,
                     *         "complete": true
                     *       },
                     *       "ended": {
                     *         "since": "2026-11-19T13:00:00.000Z",
                     *         "completed": 41,
                     *         "failed": 1,
                     *         "canceled": 0,
                     *         "hours": [
                     *           {
                     *             "from": "2026-11-19T13:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T14:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T15:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T16:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T17:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T18:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T19:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T20:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T21:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T22:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T23:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T00:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T01:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T02:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T03:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T04:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T05:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T06:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T07:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T08:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T09:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T10:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T11:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T12:00:00.000Z",
                     *             "completed": 41,
                     *             "failed": 1,
                     *             "canceled": 0
                     *           }
                     *         ],
                     *         "complete": true
                     *       },
                     *       "detection": {
                     *         "videos": 42,
                     *         "seconds": {
                     *           "p50": 0.9,
                     *           "p95": 3.1
                     *         }
                     *       },
                     *       "deliveries": {
                     *         "delivered": 83,
                     *         "failed": 0,
                     *         "pending": 1,
                     *         "held": 0,
                     *         "complete": true
                     *       },
                     *       "troubles": [
                     *         {
                     *           "type": "video_failed",
                     *           "at": "2026-11-20T12:00:12.000Z",
                     *           "standing": false,
                     *           "client": null,
                     *           "backend": "main",
                     *           "video_id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "delivery_id": null,
                     *           "endpoint_id": null,
                     *           "rule": null,
                     *           "code": "backend_failed",
                     *           "message": "the backend could not make it"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getBackend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a backend of the configuration.
                 * @example main
                 */
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "backend",
                     *       "name": "main",
                     *       "interface": "primary",
                     *       "health": {
                     *         "status": "up",
                     *         "since": "2026-11-20T12:00:00.000Z",
                     *         "reason": null
                     *       },
                     *       "capabilities": {
                     *         "text_source": true,
                     *         "audio_source": true,
                     *         "image_url": true,
                     *         "puppet_id": true,
                     *         "resolution": true,
                     *         "expressiveness": true,
                     *         "language": true,
                     *         "speech": true,
                     *         "uploads": true,
                     *         "puppets_write": true,
                     *         "usage": true,
                     *         "native_webhook": true,
                     *         "native_list": true,
                     *         "native_idempotency": true,
                     *         "voice_required": true,
                     *         "progress": true,
                     *         "puppet_by_id": true
                     *       },
                     *       "limits": {
                     *         "text_characters": null
                     *       },
                     *       "budget": {
                     *         "limit": 10,
                     *         "remaining": 7,
                     *         "resets_at": "2026-11-20T12:01:00.000Z"
                     *       },
                     *       "slots": {
                     *         "limit": 2,
                     *         "used": 1
                     *       },
                     *       "queue_depth": 1,
                     *       "held_by": "gateway-1-12-k3x9",
                     *       "window": {
                     *         "seconds": 61,
                     *         "next_request_at": null,
                     *         "next_create_at": null
                     *       },
                     *       "breaker": {
                     *         "open": false,
                     *         "retry_at": null
                     *       },
                     *       "queue": [
                     *         {
                     *           "position": 1,
                     *           "video_id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "client": null,
                     *           "backend": "main",
                     *           "reason": "no_free_slot",
                     *           "created_at": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "learned": [
                     *         {
                     *           "source": "text",
                     *           "videos": 3,
                     *           "seconds": {
                     *             "p50": 38.2,
                     *             "p95": 41,
                     *             "longest": 41
                     *           },
                     *           "histogram": [
                     *             {
                     *               "from": 38,
                     *               "to": 39,
                     *               "videos": 2
                     *             },
                     *             {
                     *               "from": 39,
                     *               "to": 40,
                     *               "videos": 0
                     *             },
                     *             {
                     *               "from": 40,
                     *               "to": 41,
                     *               "videos": 0
                     *             },
                     *             {
                     *               "from": 41,
                     *               "to": 42,
                     *               "videos": 1
                     *             }
                     *           ],
                     *           "polls": [
                     *             {
                     *               "after": 38.4,
                     *               "running": 0.48
                     *             },
                     *             {
                     *               "after": 39.6,
                     *               "running": 0.46
                     *             },
                     *             {
                     *               "after": 41.1,
                     *               "running": 0.14
                     *             }
                     *           ],
                     *           "lateness": 0.04
                     *         },
                     *         {
                     *           "source": "audio",
                     *           "videos": 0,
                     *           "seconds": null,
                     *           "histogram": [],
                     *           "polls": [
                     *             {
                     *               "after": 2.2,
                     *               "running": 0.96
                     *             }
                     *           ],
                     *           "lateness": 0.04
                     *         }
                     *       ],
                     *       "learned_here": true,
                     *       "drift": {
                     *         "kinds": 1,
                     *         "latest": [
                     *           {
                     *             "kind": "status",
                     *             "operation": "getVideo",
                     *             "value": "rendering_preview",
                     *             "count": 3,
                     *             "first_seen": "2026-11-20T12:00:00.000Z",
                     *             "last_seen": "2026-11-20T12:00:41.000Z",
                     *             "sample": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BackendDetail"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["backend_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    listBackends: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["answer-200"];
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getDrift: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The name of a backend of the configuration.
                 * @example main
                 */
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "kind": "status",
                     *           "operation": "getVideo",
                     *           "value": "rendering_preview",
                     *           "count": 3,
                     *           "first_seen": "2026-11-20T12:00:00.000Z",
                     *           "last_seen": "2026-11-20T12:00:41.000Z",
                     *           "sample": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DriftList"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["backend_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "usage",
                     *       "backends": [
                     *         {
                     *           "backend": "main",
                     *           "credits_remaining": 9,
                     *           "credits_used_month": 91,
                     *           "credits_included": 100,
                     *           "credits_purchased": 0,
                     *           "checkout_available": true,
                     *           "credit_packs": [],
                     *           "can_create": true,
                     *           "blocked_reason": null,
                     *           "retry_at": null,
                     *           "active_jobs": 1,
                     *           "free_slots": 1,
                     *           "requests": {
                     *             "limit": 10,
                     *             "remaining": 7,
                     *             "resets_at": "2026-11-20T12:01:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "client": {
                     *         "month": "2026-11",
                     *         "videos": {
                     *           "queued": 0,
                     *           "processing": 1,
                     *           "completed": 90,
                     *           "failed": 1,
                     *           "canceled": 0
                     *         },
                     *         "credits_charged": 91,
                     *         "requests": 1204,
                     *         "limits": {
                     *           "videos_per_month": 100,
                     *           "credits_per_month": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["not_found"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            503: components["responses"]["store_unavailable-and-1-more"];
            504: components["responses"]["backend_timeout"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                     *           "object": "webhook_endpoint",
                     *           "url": "https://app.example/hooks/talkbridge",
                     *           "events": [
                     *             "video.completed",
                     *             "video.failed",
                     *             "video.canceled"
                     *           ],
                     *           "description": null,
                     *           "enabled": true,
                     *           "disabled_reason": null,
                     *           "disabled_at": null,
                     *           "failures": 0,
                     *           "failing_since": null,
                     *           "held": 0,
                     *           "last_delivered_at": "2026-11-20T12:00:00.000Z",
                     *           "last_failed_at": null,
                     *           "old_secret_expires_at": null,
                     *           "replay": null,
                     *           "created_at": "2026-11-20T11:00:00.000Z",
                     *           "updated_at": "2026-11-20T11:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint receives events from now on. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                     *       "object": "webhook_endpoint",
                     *       "url": "https://app.example/hooks/talkbridge",
                     *       "events": [
                     *         "video.completed",
                     *         "video.failed",
                     *         "video.canceled"
                     *       ],
                     *       "description": null,
                     *       "enabled": true,
                     *       "disabled_reason": null,
                     *       "disabled_at": null,
                     *       "failures": 0,
                     *       "failing_since": null,
                     *       "held": 0,
                     *       "last_delivered_at": "2026-11-20T12:00:00.000Z",
                     *       "last_failed_at": null,
                     *       "old_secret_expires_at": null,
                     *       "replay": null,
                     *       "created_at": "2026-11-20T11:00:00.000Z",
                     *       "updated_at": "2026-11-20T11:00:00.000Z",
                     *       "secret": "whsec_ZXhhbXBsZS1zZWNyZXQtb2YtMzItYnl0ZXMhISEhISE="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["webhook_url_not_allowed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
                 */
                id: components["parameters"]["id-4"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint, with the number of deliveries that wait. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                     *       "object": "webhook_endpoint",
                     *       "url": "https://app.example/hooks/talkbridge",
                     *       "events": [
                     *         "video.completed",
                     *         "video.failed",
                     *         "video.canceled"
                     *       ],
                     *       "description": null,
                     *       "enabled": true,
                     *       "disabled_reason": null,
                     *       "disabled_at": null,
                     *       "failures": 0,
                     *       "failing_since": null,
                     *       "held": 0,
                     *       "last_delivered_at": "2026-11-20T12:00:00.000Z",
                     *       "last_failed_at": null,
                     *       "old_secret_expires_at": null,
                     *       "replay": null,
                     *       "created_at": "2026-11-20T11:00:00.000Z",
                     *       "updated_at": "2026-11-20T11:00:00.000Z",
                     *       "pending": 0
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointDetail"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["endpoint_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
                 */
                id: components["parameters"]["id-4"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["answer-204"];
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["endpoint_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
                 */
                id: components["parameters"]["id-4"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpoint"];
            };
        };
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                     *       "object": "webhook_endpoint",
                     *       "url": "https://app.example/hooks/talkbridge",
                     *       "events": [
                     *         "video.completed",
                     *         "video.failed",
                     *         "video.canceled"
                     *       ],
                     *       "description": null,
                     *       "enabled": true,
                     *       "disabled_reason": null,
                     *       "disabled_at": null,
                     *       "failures": 0,
                     *       "failing_since": null,
                     *       "held": 0,
                     *       "last_delivered_at": "2026-11-20T12:00:00.000Z",
                     *       "last_failed_at": null,
                     *       "old_secret_expires_at": null,
                     *       "replay": null,
                     *       "created_at": "2026-11-20T11:00:00.000Z",
                     *       "updated_at": "2026-11-20T11:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["endpoint_not_found"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["webhook_url_not_allowed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    rotateWebhookEndpointSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
                 */
                id: components["parameters"]["id-4"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateSecret"];
            };
        };
        responses: {
            /** @description The endpoint with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                     *       "object": "webhook_endpoint",
                     *       "url": "https://app.example/hooks/talkbridge",
                     *       "events": [
                     *         "video.completed",
                     *         "video.failed",
                     *         "video.canceled"
                     *       ],
                     *       "description": null,
                     *       "enabled": true,
                     *       "disabled_reason": null,
                     *       "disabled_at": null,
                     *       "failures": 0,
                     *       "failing_since": null,
                     *       "held": 0,
                     *       "last_delivered_at": "2026-11-20T12:00:00.000Z",
                     *       "last_failed_at": null,
                     *       "old_secret_expires_at": null,
                     *       "replay": null,
                     *       "created_at": "2026-11-20T11:00:00.000Z",
                     *       "updated_at": "2026-11-20T11:00:00.000Z",
                     *       "secret": "whsec_ZXhhbXBsZS1zZWNyZXQtb2YtMzItYnl0ZXMhISEhISE="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["endpoint_not_found"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
                 */
                id: components["parameters"]["id-4"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of the test. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhook_test",
                     *       "delivered": false,
                     *       "status": 500,
                     *       "error": "status 500",
                     *       "response_body": "no such tenant",
                     *       "duration_ms": 38
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["endpoint_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable-and-1-more-2"];
        };
    };
    replayWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
                 */
                id: components["parameters"]["id-4"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayEvents"];
            };
        };
        responses: {
            /** @description The events will be sent. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "replay",
                     *       "endpoint_id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                     *       "events": 17
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["endpoint_not_found"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhook_secret",
                     *       "secret": "whsec_ZXhhbXBsZS1zZWNyZXQtb2YtMzItYnl0ZXMhISEhISE="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateSecret"];
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhook_secret",
                     *       "secret": "whsec_ZXhhbXBsZS1zZWNyZXQtb2YtMzItYnl0ZXMhISEhISE="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only events of these types, separated by commas
                 * @example video.completed,video.failed
                 */
                types?: components["parameters"]["types"];
            };
            header?: {
                /** @description The last `id:` that you received. The stream continues after it. */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until you close the connection. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
                /** @description Only events of this type */
                type?: components["parameters"]["type"];
                /** @description Only events of this video */
                video?: components["parameters"]["video"];
                /** @description Only events from this time on */
                since?: components["parameters"]["since"];
                /** @description Only events before this time */
                until?: components["parameters"]["until"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "evt_93ea97acbfc0f0feeac794302d",
                     *           "object": "event",
                     *           "type": "video.completed",
                     *           "timestamp": "2026-11-20T12:00:41.000Z",
                     *           "video_id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "data": {
                     *             "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *             "object": "video",
                     *             "status": "completed",
                     *             "progress": 1,
                     *             "backend": "main",
                     *             "interface": "primary",
                     *             "backend_job_id": "api_video_7Hq2",
                     *             "source": "text",
                     *             "video_url": null,
                     *             "video_url_expires_at": null,
                     *             "thumbnail_url": null,
                     *             "duration_seconds": 4.2,
                     *             "duration_estimate_seconds": 4,
                     *             "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *             "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *             "error": null,
                     *             "credits": {
                     *               "charged": 1,
                     *               "remaining": 9
                     *             },
                     *             "warnings": [],
                     *             "metadata": {
                     *               "order": "1001"
                     *             },
                     *             "webhook_url": "https://app.example/hooks/videos",
                     *             "backend_status": "completed",
                     *             "routing": {
                     *               "chosen_by": "default",
                     *               "rule": null,
                     *               "considered": [
                     *                 {
                     *                   "backend": "main",
                     *                   "verdict": "chosen",
                     *                   "reason": null
                     *                 }
                     *               ]
                     *             },
                     *             "replaces": null,
                     *             "replaced_by": null,
                     *             "queue": null,
                     *             "created_at": "2026-11-20T12:00:00.000Z",
                     *             "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *             "completed_at": "2026-11-20T12:00:41.000Z",
                     *             "next_poll_at": null,
                     *             "sequence": 4,
                     *             "timing": {
                     *               "accepted_at": "2026-11-20T12:00:00.000Z",
                     *               "detected_at": "2026-11-20T12:00:41.000Z",
                     *               "uncertainty_ms": 1000
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["EventList"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example evt_93ea97acbfc0f0feeac794302d
                 */
                id: components["parameters"]["id-5"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event, with the data that was sent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evt_93ea97acbfc0f0feeac794302d",
                     *       "object": "event",
                     *       "type": "video.completed",
                     *       "timestamp": "2026-11-20T12:00:41.000Z",
                     *       "video_id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "data": {
                     *         "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *         "object": "video",
                     *         "status": "completed",
                     *         "progress": 1,
                     *         "backend": "main",
                     *         "interface": "primary",
                     *         "backend_job_id": "api_video_7Hq2",
                     *         "source": "text",
                     *         "video_url": null,
                     *         "video_url_expires_at": null,
                     *         "thumbnail_url": null,
                     *         "duration_seconds": 4.2,
                     *         "duration_estimate_seconds": 4,
                     *         "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *         "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *         "error": null,
                     *         "credits": {
                     *           "charged": 1,
                     *           "remaining": 9
                     *         },
                     *         "warnings": [],
                     *         "metadata": {
                     *           "order": "1001"
                     *         },
                     *         "webhook_url": "https://app.example/hooks/videos",
                     *         "backend_status": "completed",
                     *         "routing": {
                     *           "chosen_by": "default",
                     *           "rule": null,
                     *           "considered": [
                     *             {
                     *               "backend": "main",
                     *               "verdict": "chosen",
                     *               "reason": null
                     *             }
                     *           ]
                     *         },
                     *         "replaces": null,
                     *         "replaced_by": null,
                     *         "queue": null,
                     *         "created_at": "2026-11-20T12:00:00.000Z",
                     *         "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *         "completed_at": "2026-11-20T12:00:41.000Z",
                     *         "next_poll_at": null,
                     *         "sequence": 4,
                     *         "timing": {
                     *           "accepted_at": "2026-11-20T12:00:00.000Z",
                     *           "detected_at": "2026-11-20T12:00:41.000Z",
                     *           "uncertainty_ms": 1000
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["event_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    redeliverEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example evt_93ea97acbfc0f0feeac794302d
                 */
                id: components["parameters"]["id-5"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["answer-202"];
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["event_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
                /** @description Only deliveries to this endpoint */
                endpoint?: string;
                /** @description Only deliveries about this video */
                video?: components["parameters"]["video-2"];
                /** @description Only deliveries of this event */
                event?: components["parameters"]["event"];
                /** @description Only deliveries with this status */
                status?: components["parameters"]["status-2"];
                /** @description Adds `attempts` to each delivery: when it was sent, and what the receiver answered */
                expand?: components["parameters"]["expand-2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "dlv_1d3934da18de025aa6a6ebc381",
                     *           "object": "delivery",
                     *           "event_id": "evt_93ea97acbfc0f0feeac794302d",
                     *           "event_type": "video.completed",
                     *           "event_at": "2026-11-20T12:00:41.000Z",
                     *           "video_id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "target": {
                     *             "kind": "endpoint",
                     *             "endpoint_id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                     *             "url": "https://app.example/hooks/talkbridge"
                     *           },
                     *           "status": "delivered",
                     *           "attempt_count": 1,
                     *           "next_attempt_at": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example dlv_1d3934da18de025aa6a6ebc381
                 */
                id: components["parameters"]["id-6"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_1d3934da18de025aa6a6ebc381",
                     *       "object": "delivery",
                     *       "event_id": "evt_93ea97acbfc0f0feeac794302d",
                     *       "event_type": "video.completed",
                     *       "event_at": "2026-11-20T12:00:41.000Z",
                     *       "video_id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "target": {
                     *         "kind": "endpoint",
                     *         "endpoint_id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                     *         "url": "https://app.example/hooks/talkbridge"
                     *       },
                     *       "status": "delivered",
                     *       "attempt_count": 1,
                     *       "next_attempt_at": null,
                     *       "request": {
                     *         "method": "POST",
                     *         "url": "https://app.example/hooks/talkbridge",
                     *         "headers": {
                     *           "content-type": "application/json",
                     *           "user-agent": "talkbridge/1.0.0",
                     *           "webhook-id": "evt_93ea97acbfc0f0feeac794302d",
                     *           "webhook-timestamp": "1795176041",
                     *           "webhook-signature": "v1,…"
                     *         },
                     *         "body": "{\"type\":\"video.completed\",\"timestamp\":\"2026-11-20T12:00:41.000Z\",\"data\":{\"id\":\"vid_…\"}}"
                     *       },
                     *       "attempts": [
                     *         {
                     *           "at": "2026-11-20T12:00:41.120Z",
                     *           "duration_ms": 38,
                     *           "status": 204,
                     *           "error": null,
                     *           "response_body": "",
                     *           "next_attempt_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryWithAttempts"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["delivery_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getAdminOverview: {
        parameters: {
            query?: {
                /** @description Only what belongs to this client. Default: all clients */
                client?: components["parameters"]["client"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "overview",
                     *       "at": "2026-11-20T12:00:41.000Z",
                     *       "client": null,
                     *       "videos": {
                     *         "waiting": 3,
                     *         "queued": 1,
                     *         "processing": 1,
                     *         "doubtful": 0,
                     *         "complete": true
                     *       },
                     *       "ended": {
                     *         "since": "2026-11-19T13:00:00.000Z",
                     *         "completed": 41,
                     *         "failed": 1,
                     *         "canceled": 0,
                     *         "hours": [
                     *           {
                     *             "from": "2026-11-19T13:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T14:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T15:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T16:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T17:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T18:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T19:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T20:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T21:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T22:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-19T23:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T00:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T01:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T02:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T03:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T04:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T05:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T06:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T07:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T08:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T09:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T10:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T11:00:00.000Z",
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           {
                     *             "from": "2026-11-20T12:00:00.000Z",
                     *             "completed": 41,
                     *             "failed": 1,
                     *             "canceled": 0
                     *           }
                     *         ],
                     *         "complete": true
                     *       },
                     *       "detection": {
                     *         "videos": 42,
                     *         "seconds": {
                     *           "p50": 0.9,
                     *           "p95": 3.1
                     *         }
                     *       },
                     *       "deliveries": {
                     *         "delivered": 83,
                     *         "failed": 0,
                     *         "pending": 1,
                     *         "held": 0,
                     *         "complete": true
                     *       },
                     *       "troubles": [
                     *         {
                     *           "type": "video_failed",
                     *           "at": "2026-11-20T12:00:12.000Z",
                     *           "standing": false,
                     *           "client": "acme",
                     *           "backend": "main",
                     *           "video_id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "delivery_id": null,
                     *           "endpoint_id": null,
                     *           "rule": null,
                     *           "code": "backend_failed",
                     *           "message": "the backend could not make it"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    listAdminBackends: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["answer-200"];
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getAdminBackend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a backend of the configuration.
                 * @example main
                 */
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "backend",
                     *       "name": "main",
                     *       "interface": "primary",
                     *       "health": {
                     *         "status": "up",
                     *         "since": "2026-11-20T12:00:00.000Z",
                     *         "reason": null
                     *       },
                     *       "capabilities": {
                     *         "text_source": true,
                     *         "audio_source": true,
                     *         "image_url": true,
                     *         "puppet_id": true,
                     *         "resolution": true,
                     *         "expressiveness": true,
                     *         "language": true,
                     *         "speech": true,
                     *         "uploads": true,
                     *         "puppets_write": true,
                     *         "usage": true,
                     *         "native_webhook": true,
                     *         "native_list": true,
                     *         "native_idempotency": true,
                     *         "voice_required": true,
                     *         "progress": true,
                     *         "puppet_by_id": true
                     *       },
                     *       "limits": {
                     *         "text_characters": null
                     *       },
                     *       "budget": {
                     *         "limit": 10,
                     *         "remaining": 7,
                     *         "resets_at": "2026-11-20T12:01:00.000Z"
                     *       },
                     *       "slots": {
                     *         "limit": 2,
                     *         "used": 1
                     *       },
                     *       "queue_depth": 1,
                     *       "held_by": "gateway-1-12-k3x9",
                     *       "window": {
                     *         "seconds": 61,
                     *         "next_request_at": null,
                     *         "next_create_at": null
                     *       },
                     *       "breaker": {
                     *         "open": false,
                     *         "retry_at": null
                     *       },
                     *       "queue": [
                     *         {
                     *           "position": 1,
                     *           "video_id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "client": "acme",
                     *           "backend": "main",
                     *           "reason": "no_free_slot",
                     *           "created_at": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "learned": [
                     *         {
                     *           "source": "text",
                     *           "videos": 3,
                     *           "seconds": {
                     *             "p50": 38.2,
                     *             "p95": 41,
                     *             "longest": 41
                     *           },
                     *           "histogram": [
                     *             {
                     *               "from": 38,
                     *               "to": 39,
                     *               "videos": 2
                     *             },
                     *             {
                     *               "from": 39,
                     *               "to": 40,
                     *               "videos": 0
                     *             },
                     *             {
                     *               "from": 40,
                     *               "to": 41,
                     *               "videos": 0
                     *             },
                     *             {
                     *               "from": 41,
                     *               "to": 42,
                     *               "videos": 1
                     *             }
                     *           ],
                     *           "polls": [
                     *             {
                     *               "after": 38.4,
                     *               "running": 0.48
                     *             },
                     *             {
                     *               "after": 39.6,
                     *               "running": 0.46
                     *             },
                     *             {
                     *               "after": 41.1,
                     *               "running": 0.14
                     *             }
                     *           ],
                     *           "lateness": 0.04
                     *         },
                     *         {
                     *           "source": "audio",
                     *           "videos": 0,
                     *           "seconds": null,
                     *           "histogram": [],
                     *           "polls": [
                     *             {
                     *               "after": 2.2,
                     *               "running": 0.96
                     *             }
                     *           ],
                     *           "lateness": 0.04
                     *         }
                     *       ],
                     *       "learned_here": true,
                     *       "drift": {
                     *         "kinds": 1,
                     *         "latest": [
                     *           {
                     *             "kind": "status",
                     *             "operation": "getVideo",
                     *             "value": "rendering_preview",
                     *             "count": 3,
                     *             "first_seen": "2026-11-20T12:00:00.000Z",
                     *             "last_seen": "2026-11-20T12:00:41.000Z",
                     *             "sample": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BackendDetail"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["backend_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    listAdminVideos: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
                /** @description Only what belongs to this client. Default: all clients */
                client?: components["parameters"]["client"];
                /** @description Only videos with this status */
                status?: components["parameters"]["status"];
                /** @description Only videos of this backend */
                backend?: components["parameters"]["backend"];
                /** @description Only videos created after this time */
                created_after?: components["parameters"]["created_after"];
                /** @description Only videos created before this time */
                created_before?: components["parameters"]["created_before"];
                /** @description Only creates in doubt: `open` ones, or those that the gateway has `given_up` and no operator has answered. You cannot combine it with other filters */
                doubt?: "open" | "given_up";
                /** @description Only videos whose metadata has exactly this value: `metadata=1001` under any key, `metadata[order]=1001` under the key `order`. Give one of them. With other filters, a page may be short while `has_more` is true. */
                metadata?: components["parameters"]["metadata"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "object": "video",
                     *           "status": "queued",
                     *           "progress": null,
                     *           "backend": "main",
                     *           "interface": "primary",
                     *           "backend_job_id": null,
                     *           "source": "text",
                     *           "input": {
                     *             "image_url": "https://example.com/anna.png",
                     *             "puppet_id": null,
                     *             "text": "Hello from Talkbridge.",
                     *             "audio_url": null,
                     *             "upload_id": null,
                     *             "voice_id": "main:sandbox-en-us-ava",
                     *             "language": null,
                     *             "expressiveness": null,
                     *             "resolution": null
                     *           },
                     *           "video_url": null,
                     *           "video_url_expires_at": null,
                     *           "thumbnail_url": null,
                     *           "duration_seconds": null,
                     *           "duration_estimate_seconds": 4,
                     *           "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *           "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *           "error": null,
                     *           "credits": null,
                     *           "warnings": [],
                     *           "metadata": {
                     *             "order": "1001"
                     *           },
                     *           "webhook_url": "https://app.example/hooks/videos",
                     *           "backend_status": null,
                     *           "routing": {
                     *             "chosen_by": "default",
                     *             "rule": null,
                     *             "considered": [
                     *               {
                     *                 "backend": "main",
                     *                 "verdict": "chosen",
                     *                 "reason": null
                     *               }
                     *             ]
                     *           },
                     *           "replaces": null,
                     *           "replaced_by": null,
                     *           "queue": null,
                     *           "created_at": "2026-11-20T12:00:00.000Z",
                     *           "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *           "completed_at": null,
                     *           "next_poll_at": null,
                     *           "client": "acme",
                     *           "doubt": {
                     *             "open": true,
                     *             "attempt": 1,
                     *             "since": "2026-11-20T12:00:30.120Z",
                     *             "candidates": [
                     *               "clip_7Hq2"
                     *             ],
                     *             "evidence": {
                     *               "walks": [
                     *                 {
                     *                   "at": "2026-11-20T12:01:00.120Z",
                     *                   "jobs": 41
                     *                 }
                     *               ],
                     *               "named": [],
                     *               "resends": 0
                     *             },
                     *             "resolved_at": null
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AdminVideoList"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getAdminVideo: {
        parameters: {
            query?: {
                /** @description Adds `timeline`: what happened to the video, step by step */
                expand?: components["parameters"]["expand"];
            };
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The video. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "object": "video",
                     *       "status": "queued",
                     *       "progress": null,
                     *       "backend": "main",
                     *       "interface": "primary",
                     *       "backend_job_id": null,
                     *       "source": "text",
                     *       "input": {
                     *         "image_url": "https://example.com/anna.png",
                     *         "puppet_id": null,
                     *         "text": "Hello from Talkbridge.",
                     *         "audio_url": null,
                     *         "upload_id": null,
                     *         "voice_id": "main:sandbox-en-us-ava",
                     *         "language": null,
                     *         "expressiveness": null,
                     *         "resolution": null
                     *       },
                     *       "video_url": null,
                     *       "video_url_expires_at": null,
                     *       "thumbnail_url": null,
                     *       "duration_seconds": null,
                     *       "duration_estimate_seconds": 4,
                     *       "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *       "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *       "error": null,
                     *       "credits": null,
                     *       "warnings": [],
                     *       "metadata": {
                     *         "order": "1001"
                     *       },
                     *       "webhook_url": "https://app.example/hooks/videos",
                     *       "backend_status": null,
                     *       "routing": {
                     *         "chosen_by": "default",
                     *         "rule": null,
                     *         "considered": [
                     *           {
                     *             "backend": "main",
                     *             "verdict": "chosen",
                     *             "reason": null
                     *           }
                     *         ]
                     *       },
                     *       "replaces": null,
                     *       "replaced_by": null,
                     *       "queue": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *       "completed_at": null,
                     *       "next_poll_at": null,
                     *       "client": "acme",
                     *       "doubt": {
                     *         "open": true,
                     *         "attempt": 1,
                     *         "since": "2026-11-20T12:00:30.120Z",
                     *         "candidates": [
                     *           "clip_7Hq2"
                     *         ],
                     *         "evidence": {
                     *           "walks": [
                     *             {
                     *               "at": "2026-11-20T12:01:00.120Z",
                     *               "jobs": 41
                     *             }
                     *           ],
                     *           "named": [],
                     *           "resends": 0
                     *         },
                     *         "resolved_at": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AdminVideoWithTimeline"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["video_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    streamAdminVideoEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last `id:` that you received. The stream continues after it. */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the video has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description You already have the last event. Do not reconnect. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["video_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    cancelAdminVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJC
                 */
                id: components["parameters"]["id-2"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The video is canceled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "object": "video",
                     *       "status": "canceled",
                     *       "progress": null,
                     *       "backend": "main",
                     *       "interface": "primary",
                     *       "backend_job_id": null,
                     *       "source": "text",
                     *       "input": {
                     *         "image_url": "https://example.com/anna.png",
                     *         "puppet_id": null,
                     *         "text": "Hello from Talkbridge.",
                     *         "audio_url": null,
                     *         "upload_id": null,
                     *         "voice_id": "main:sandbox-en-us-ava",
                     *         "language": null,
                     *         "expressiveness": null,
                     *         "resolution": null
                     *       },
                     *       "video_url": null,
                     *       "video_url_expires_at": null,
                     *       "thumbnail_url": null,
                     *       "duration_seconds": null,
                     *       "duration_estimate_seconds": 4,
                     *       "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *       "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *       "error": null,
                     *       "credits": {
                     *         "charged": 1,
                     *         "remaining": 9
                     *       },
                     *       "warnings": [],
                     *       "metadata": {
                     *         "order": "1001"
                     *       },
                     *       "webhook_url": "https://app.example/hooks/videos",
                     *       "backend_status": "queued",
                     *       "routing": {
                     *         "chosen_by": "default",
                     *         "rule": null,
                     *         "considered": [
                     *           {
                     *             "backend": "main",
                     *             "verdict": "chosen",
                     *             "reason": null
                     *           }
                     *         ]
                     *       },
                     *       "replaces": null,
                     *       "replaced_by": null,
                     *       "queue": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *       "completed_at": "2026-11-20T12:00:00.000Z",
                     *       "next_poll_at": "2026-11-20T12:00:15.000Z",
                     *       "client": "acme",
                     *       "doubt": null
                     *     }
                     */
                    "application/json": components["schemas"]["AdminVideo"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["video_not_found"];
            406: components["responses"]["not_acceptable"];
            409: components["responses"]["video_not_cancelable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    resolveVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveVideo"];
            };
        };
        responses: {
            /** @description The video that has the job, or waits to be sent again. If the create was given up and made no job, the failed video. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "object": "video",
                     *       "status": "queued",
                     *       "progress": null,
                     *       "backend": "main",
                     *       "interface": "primary",
                     *       "backend_job_id": "api_video_7Hq2",
                     *       "source": "text",
                     *       "input": {
                     *         "image_url": "https://example.com/anna.png",
                     *         "puppet_id": null,
                     *         "text": "Hello from Talkbridge.",
                     *         "audio_url": null,
                     *         "upload_id": null,
                     *         "voice_id": "main:sandbox-en-us-ava",
                     *         "language": null,
                     *         "expressiveness": null,
                     *         "resolution": null
                     *       },
                     *       "video_url": null,
                     *       "video_url_expires_at": null,
                     *       "thumbnail_url": null,
                     *       "duration_seconds": null,
                     *       "duration_estimate_seconds": 4,
                     *       "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *       "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *       "error": null,
                     *       "credits": {
                     *         "charged": 1,
                     *         "remaining": 9
                     *       },
                     *       "warnings": [],
                     *       "metadata": {
                     *         "order": "1001"
                     *       },
                     *       "webhook_url": "https://app.example/hooks/videos",
                     *       "backend_status": "queued",
                     *       "routing": {
                     *         "chosen_by": "default",
                     *         "rule": null,
                     *         "considered": [
                     *           {
                     *             "backend": "main",
                     *             "verdict": "chosen",
                     *             "reason": null
                     *           }
                     *         ]
                     *       },
                     *       "replaces": null,
                     *       "replaced_by": null,
                     *       "queue": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *       "completed_at": null,
                     *       "next_poll_at": "2026-11-20T12:00:15.000Z",
                     *       "client": "acme",
                     *       "doubt": null
                     *     }
                     */
                    "application/json": components["schemas"]["AdminVideo"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            402: components["responses"]["insufficient_credits"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["not_found-and-1-more"];
            406: components["responses"]["not_acceptable"];
            /** @description `video_replaced`: Another video replaces this one */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After-optional"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "video_replaced";
                    };
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited-and-2-more"];
            500: components["responses"]["internal_error"];
            502: components["responses"]["backend_error-and-1-more"];
            503: components["responses"]["store_unavailable-and-1-more"];
            504: components["responses"]["backend_timeout"];
        };
    };
    listAdminEvents: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
                /** @description Only events of this type */
                type?: components["parameters"]["type"];
                /** @description Only events of this video */
                video?: components["parameters"]["video"];
                /** @description Only events from this time on */
                since?: components["parameters"]["since"];
                /** @description Only events before this time */
                until?: components["parameters"]["until"];
                /** @description Only what belongs to this client. Default: all clients */
                client?: components["parameters"]["client"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "evt_93ea97acbfc0f0feeac794302d",
                     *           "object": "event",
                     *           "type": "video.completed",
                     *           "timestamp": "2026-11-20T12:00:41.000Z",
                     *           "video_id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "data": {
                     *             "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *             "object": "video",
                     *             "status": "completed",
                     *             "progress": 1,
                     *             "backend": "main",
                     *             "interface": "primary",
                     *             "backend_job_id": "api_video_7Hq2",
                     *             "source": "text",
                     *             "video_url": null,
                     *             "video_url_expires_at": null,
                     *             "thumbnail_url": null,
                     *             "duration_seconds": 4.2,
                     *             "duration_estimate_seconds": 4,
                     *             "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                     *             "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                     *             "error": null,
                     *             "credits": {
                     *               "charged": 1,
                     *               "remaining": 9
                     *             },
                     *             "warnings": [],
                     *             "metadata": {
                     *               "order": "1001"
                     *             },
                     *             "webhook_url": "https://app.example/hooks/videos",
                     *             "backend_status": "completed",
                     *             "routing": {
                     *               "chosen_by": "default",
                     *               "rule": null,
                     *               "considered": [
                     *                 {
                     *                   "backend": "main",
                     *                   "verdict": "chosen",
                     *                   "reason": null
                     *                 }
                     *               ]
                     *             },
                     *             "replaces": null,
                     *             "replaced_by": null,
                     *             "queue": null,
                     *             "created_at": "2026-11-20T12:00:00.000Z",
                     *             "dispatched_at": "2026-11-20T12:00:00.120Z",
                     *             "completed_at": "2026-11-20T12:00:41.000Z",
                     *             "next_poll_at": null,
                     *             "sequence": 4,
                     *             "timing": {
                     *               "accepted_at": "2026-11-20T12:00:00.000Z",
                     *               "detected_at": "2026-11-20T12:00:41.000Z",
                     *               "uncertainty_ms": 1000
                     *             }
                     *           },
                     *           "client": "acme"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AdminEventList"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    streamAdminEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only events of these types, separated by commas
                 * @example video.completed,video.failed
                 */
                types?: components["parameters"]["types"];
            };
            header?: {
                /** @description The last `id:` that you received. The stream continues after it. */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until you close the connection. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    redeliverAdminEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example evt_93ea97acbfc0f0feeac794302d
                 */
                id: components["parameters"]["id-5"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["answer-202"];
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["event_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    listAdminDeliveries: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
                /** @description Only deliveries to this endpoint. If it was deleted, also give its `client` */
                endpoint?: string;
                /** @description Only deliveries about this video */
                video?: components["parameters"]["video-2"];
                /** @description Only deliveries of this event */
                event?: components["parameters"]["event"];
                /** @description Only deliveries with this status */
                status?: components["parameters"]["status-2"];
                /** @description Adds `attempts` to each delivery: when it was sent, and what the receiver answered */
                expand?: components["parameters"]["expand-2"];
                /** @description Only what belongs to this client. Default: all clients */
                client?: components["parameters"]["client"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "dlv_1d3934da18de025aa6a6ebc381",
                     *           "object": "delivery",
                     *           "event_id": "evt_93ea97acbfc0f0feeac794302d",
                     *           "event_type": "video.completed",
                     *           "event_at": "2026-11-20T12:00:41.000Z",
                     *           "video_id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "target": {
                     *             "kind": "endpoint",
                     *             "endpoint_id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                     *             "url": "https://app.example/hooks/talkbridge"
                     *           },
                     *           "status": "delivered",
                     *           "attempt_count": 1,
                     *           "next_attempt_at": null,
                     *           "client": "acme"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AdminDeliveryList"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getAdminDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example dlv_1d3934da18de025aa6a6ebc381
                 */
                id: components["parameters"]["id-6"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_1d3934da18de025aa6a6ebc381",
                     *       "object": "delivery",
                     *       "event_id": "evt_93ea97acbfc0f0feeac794302d",
                     *       "event_type": "video.completed",
                     *       "event_at": "2026-11-20T12:00:41.000Z",
                     *       "video_id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "target": {
                     *         "kind": "endpoint",
                     *         "endpoint_id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                     *         "url": "https://app.example/hooks/talkbridge"
                     *       },
                     *       "status": "delivered",
                     *       "attempt_count": 1,
                     *       "next_attempt_at": null,
                     *       "client": "acme",
                     *       "request": {
                     *         "method": "POST",
                     *         "url": "https://app.example/hooks/talkbridge",
                     *         "headers": {
                     *           "content-type": "application/json",
                     *           "user-agent": "talkbridge/1.0.0",
                     *           "webhook-id": "evt_93ea97acbfc0f0feeac794302d",
                     *           "webhook-timestamp": "1795176041",
                     *           "webhook-signature": "v1,…"
                     *         },
                     *         "body": "{\"type\":\"video.completed\",\"timestamp\":\"2026-11-20T12:00:41.000Z\",\"data\":{\"id\":\"vid_…\"}}"
                     *       },
                     *       "attempts": [
                     *         {
                     *           "at": "2026-11-20T12:00:41.120Z",
                     *           "duration_ms": 38,
                     *           "status": 204,
                     *           "error": null,
                     *           "response_body": "",
                     *           "next_attempt_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdminDeliveryWithAttempts"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["delivery_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    listAdminEndpoints: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
                /** @description Only what belongs to this client. Default: all clients */
                client?: components["parameters"]["client"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                     *           "object": "webhook_endpoint",
                     *           "url": "https://app.example/hooks/talkbridge",
                     *           "events": [
                     *             "video.completed",
                     *             "video.failed",
                     *             "video.canceled"
                     *           ],
                     *           "description": null,
                     *           "enabled": true,
                     *           "disabled_reason": null,
                     *           "disabled_at": null,
                     *           "failures": 0,
                     *           "failing_since": null,
                     *           "held": 0,
                     *           "last_delivered_at": "2026-11-20T12:00:00.000Z",
                     *           "last_failed_at": null,
                     *           "old_secret_expires_at": null,
                     *           "replay": null,
                     *           "created_at": "2026-11-20T11:00:00.000Z",
                     *           "updated_at": "2026-11-20T11:00:00.000Z",
                     *           "client": "acme"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AdminEndpointList"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getAdminEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
                 */
                id: components["parameters"]["id-4"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                     *       "object": "webhook_endpoint",
                     *       "url": "https://app.example/hooks/talkbridge",
                     *       "events": [
                     *         "video.completed",
                     *         "video.failed",
                     *         "video.canceled"
                     *       ],
                     *       "description": null,
                     *       "enabled": true,
                     *       "disabled_reason": null,
                     *       "disabled_at": null,
                     *       "failures": 0,
                     *       "failing_since": null,
                     *       "held": 0,
                     *       "last_delivered_at": "2026-11-20T12:00:00.000Z",
                     *       "last_failed_at": null,
                     *       "old_secret_expires_at": null,
                     *       "replay": null,
                     *       "created_at": "2026-11-20T11:00:00.000Z",
                     *       "updated_at": "2026-11-20T11:00:00.000Z",
                     *       "client": "acme",
                     *       "pending": 0
                     *     }
                     */
                    "application/json": components["schemas"]["AdminEndpointDetail"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["endpoint_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getAdminUsage: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description The calendar month in UTC. Default: this month
                 * @example 2026-11
                 */
                month?: string;
                /** @description Only what belongs to this client. Default: all clients */
                client?: components["parameters"]["client"];
                /** @description Only rows of this backend. Default: all rows, also those without a backend */
                backend?: string;
                /** @description `csv`: the whole month as one file. `limit` and `cursor` work only with JSON */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows, or the whole file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "object": "client_usage",
                     *           "month": "2026-11",
                     *           "client": "acme",
                     *           "backend": null,
                     *           "videos": {
                     *             "queued": 0,
                     *             "processing": 0,
                     *             "completed": 0,
                     *             "failed": 0,
                     *             "canceled": 0
                     *           },
                     *           "credits_charged": 0,
                     *           "requests": 1204
                     *         },
                     *         {
                     *           "object": "client_usage",
                     *           "month": "2026-11",
                     *           "client": "acme",
                     *           "backend": "main",
                     *           "videos": {
                     *             "queued": 0,
                     *             "processing": 1,
                     *             "completed": 90,
                     *             "failed": 1,
                     *             "canceled": 0
                     *           },
                     *           "credits_charged": 91,
                     *           "requests": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ClientUsageList"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
                /** @description Only keys of this client */
                client?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "key_01M7WA9S7VF4P8S27TV0W2QQJB",
                     *           "object": "key",
                     *           "client": "acme",
                     *           "name": "checkout service",
                     *           "last_four": "x7Qd",
                     *           "scopes": [
                     *             "videos:create",
                     *             "videos:read"
                     *           ],
                     *           "status": "active",
                     *           "created_at": "2026-11-20T12:00:00.000Z",
                     *           "expires_at": "2027-02-18T12:00:00.000Z",
                     *           "last_used_at": null,
                     *           "revoked_at": null,
                     *           "rotated_to": null,
                     *           "replaces": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKey"];
            };
        };
        responses: {
            /** @description The key, which works from now on. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_01M7WA9S7VF4P8S27TV0W2QQJB",
                     *       "object": "key",
                     *       "client": "acme",
                     *       "name": "checkout service",
                     *       "last_four": "x7Qd",
                     *       "scopes": [
                     *         "videos:create",
                     *         "videos:read"
                     *       ],
                     *       "status": "active",
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "expires_at": "2027-02-18T12:00:00.000Z",
                     *       "last_used_at": null,
                     *       "revoked_at": null,
                     *       "rotated_to": null,
                     *       "replaces": null,
                     *       "key": "tb_live_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE000000000"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyWithSecret"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example key_01M7WA9S7VF4P8S27TV0W2QQJB
                 */
                id: components["parameters"]["id-7"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is known of the key, without the key itself. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_01M7WA9S7VF4P8S27TV0W2QQJB",
                     *       "object": "key",
                     *       "client": "acme",
                     *       "name": "checkout service",
                     *       "last_four": "x7Qd",
                     *       "scopes": [
                     *         "videos:create",
                     *         "videos:read"
                     *       ],
                     *       "status": "active",
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "expires_at": "2027-02-18T12:00:00.000Z",
                     *       "last_used_at": null,
                     *       "revoked_at": null,
                     *       "rotated_to": null,
                     *       "replaces": null
                     *     }
                     */
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["key_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example key_01M7WA9S7VF4P8S27TV0W2QQJB
                 */
                id: components["parameters"]["id-7"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateKey"];
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_01M7WA9S7VF4P8S27TV0W2QQJB",
                     *       "object": "key",
                     *       "client": "acme",
                     *       "name": "checkout service",
                     *       "last_four": "x7Qd",
                     *       "scopes": [
                     *         "videos:create",
                     *         "videos:read"
                     *       ],
                     *       "status": "active",
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "expires_at": "2027-02-18T12:00:00.000Z",
                     *       "last_used_at": null,
                     *       "revoked_at": null,
                     *       "rotated_to": null,
                     *       "replaces": "key_01M7WA9S7VF4P8S27TV0W2QQJ8",
                     *       "key": "tb_live_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE000000000"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyWithSecret"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["key_not_found"];
            406: components["responses"]["not_acceptable"];
            /** @description `key_not_active`: The key is not active */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After-optional"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "key_not_active";
                    };
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example key_01M7WA9S7VF4P8S27TV0W2QQJB
                 */
                id: components["parameters"]["id-7"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key, which no longer works. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_01M7WA9S7VF4P8S27TV0W2QQJB",
                     *       "object": "key",
                     *       "client": "acme",
                     *       "name": "checkout service",
                     *       "last_four": "x7Qd",
                     *       "scopes": [
                     *         "videos:create",
                     *         "videos:read"
                     *       ],
                     *       "status": "revoked",
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "expires_at": "2027-02-18T12:00:00.000Z",
                     *       "last_used_at": null,
                     *       "revoked_at": "2026-11-20T12:00:00.000Z",
                     *       "rotated_to": null,
                     *       "replaces": null
                     *     }
                     */
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["key_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    listClients: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, ordered by id. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "acme",
                     *           "object": "client",
                     *           "source": "stored",
                     *           "description": "The shop",
                     *           "backends": [
                     *             "main"
                     *           ],
                     *           "limits": {
                     *             "requests_per_minute": 600,
                     *             "videos_per_month": 1000,
                     *             "credits_per_month": null,
                     *             "queued_videos": 100,
                     *             "streams": 20
                     *           },
                     *           "enabled": true,
                     *           "disabled_at": null,
                     *           "created_at": "2026-11-20T12:00:00.000Z",
                     *           "updated_at": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ClientList"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    createClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateClient"];
            };
        };
        responses: {
            /** @description The new client. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "acme",
                     *       "object": "client",
                     *       "source": "stored",
                     *       "description": "The shop",
                     *       "backends": [
                     *         "main"
                     *       ],
                     *       "limits": {
                     *         "requests_per_minute": 600,
                     *         "videos_per_month": 1000,
                     *         "credits_per_month": null,
                     *         "queued_videos": 100,
                     *         "streams": 20
                     *       },
                     *       "enabled": true,
                     *       "disabled_at": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "updated_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Client"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            /** @description `client_exists`: This client id is taken. `client_configured`: The client is in the configuration */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After-optional"];
                    RateLimit: components["headers"]["RateLimit-optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy-optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "client_exists" | "client_configured";
                    };
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example studio
                 */
                id: components["parameters"]["id-8"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["answer-200-2"];
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["client_not_found"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    deleteClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example studio
                 */
                id: components["parameters"]["id-8"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["answer-204"];
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["client_not_found"];
            406: components["responses"]["not_acceptable"];
            409: components["responses"]["client_configured"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    updateClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example studio
                 */
                id: components["parameters"]["id-8"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateClient"];
            };
        };
        responses: {
            200: components["responses"]["answer-200-2"];
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["client_not_found"];
            406: components["responses"]["not_acceptable"];
            409: components["responses"]["client_configured"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
                /** @description Only changes by this client, or by the `gateway` */
                actor?: string;
                action?: "key.create" | "key.rotate" | "key.revoke" | "client.create" | "client.update" | "client.delete" | "video.resolve" | "video.cancel" | "event.redeliver" | "split.step" | "split.rollback" | "split.resume" | "split.stop";
                /** @description Only changes of this key, client, video or rule */
                subject?: string;
                /** @description Only entries from this time on */
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "aud_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "object": "audit_entry",
                     *           "at": "2026-11-20T12:00:00.000Z",
                     *           "actor": "ops",
                     *           "actor_key": "clients.ops.key",
                     *           "address": "203.0.113.7",
                     *           "request_id": "req_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "action": "key.create",
                     *           "subject": "key_01M7WA9S7VF4P8S27TV0W2QQJB",
                     *           "detail": {
                     *             "client": "acme",
                     *             "scopes": [
                     *               "videos:create",
                     *               "videos:read"
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getMigration: {
        parameters: {
            query?: {
                /**
                 * @description Count videos that ended after this time: a duration before now (`90m`, `24h`, `30d`), or a time in ISO 8601
                 * @example 24h
                 */
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "migration",
                     *       "since": "2026-11-19T12:00:00.000Z",
                     *       "until": "2026-11-20T12:00:00.000Z",
                     *       "counted": {
                     *         "videos": 456,
                     *         "limit": 100000,
                     *         "complete": true
                     *       },
                     *       "outcomes": {
                     *         "backends": [
                     *           {
                     *             "backend": "main",
                     *             "videos": 412,
                     *             "completed": 408,
                     *             "failed": 3,
                     *             "canceled": 1,
                     *             "success": {
                     *               "rate": 0.993,
                     *               "low": 0.979,
                     *               "high": 0.998
                     *             },
                     *             "seconds": {
                     *               "p50": 38.2,
                     *               "p95": 61
                     *             },
                     *             "credits": {
                     *               "total": 411,
                     *               "each": 1
                     *             },
                     *             "warned": 0
                     *           },
                     *           {
                     *             "backend": "alt",
                     *             "videos": 44,
                     *             "completed": 44,
                     *             "failed": 0,
                     *             "canceled": 0,
                     *             "success": {
                     *               "rate": 1,
                     *               "low": 0.92,
                     *               "high": 1
                     *             },
                     *             "seconds": {
                     *               "p50": 31.5,
                     *               "p95": 48.9
                     *             },
                     *             "credits": {
                     *               "total": 0,
                     *               "each": null
                     *             },
                     *             "warned": 0.02
                     *           }
                     *         ],
                     *         "rules": [],
                     *         "splits": [
                     *           {
                     *             "rule": "rule_5b1f0c2a9d3e",
                     *             "old": {
                     *               "videos": 412,
                     *               "completed": 408,
                     *               "failed": 3,
                     *               "canceled": 1,
                     *               "success": {
                     *                 "rate": 0.993,
                     *                 "low": 0.979,
                     *                 "high": 0.998
                     *               },
                     *               "seconds": {
                     *                 "p50": 38.2,
                     *                 "p95": 61
                     *               },
                     *               "credits": {
                     *                 "total": 411,
                     *                 "each": 1
                     *               },
                     *               "warned": 0
                     *             },
                     *             "new": {
                     *               "videos": 44,
                     *               "completed": 44,
                     *               "failed": 0,
                     *               "canceled": 0,
                     *               "success": {
                     *                 "rate": 1,
                     *                 "low": 0.92,
                     *                 "high": 1
                     *               },
                     *               "seconds": {
                     *                 "p50": 31.5,
                     *                 "p95": 48.9
                     *               },
                     *               "credits": {
                     *                 "total": 0,
                     *                 "each": null
                     *               },
                     *               "warned": 0.02
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "splits": [
                     *         {
                     *           "object": "split",
                     *           "rule": "rule_5b1f0c2a9d3e",
                     *           "path": "routing.rules[0]",
                     *           "when": {
                     *             "client": null,
                     *             "surface": "unified",
                     *             "source": null,
                     *             "metadata": {}
                     *           },
                     *           "by": "client",
                     *           "old": "main",
                     *           "new": "alt",
                     *           "file_weight": 0,
                     *           "ramp_weight": 10,
                     *           "weight": 10,
                     *           "stepped_at": "2026-11-19T12:00:00.000Z",
                     *           "stepped_by": "acme",
                     *           "resumed_at": null,
                     *           "stop_if": {
                     *             "failure_rate": 0.2,
                     *             "of": 20,
                     *             "window_seconds": 3600
                     *           },
                     *           "stopped": null,
                     *           "next_weight": 25,
                     *           "ready": true,
                     *           "gates": [
                     *             {
                     *               "name": "least_videos",
                     *               "held": true,
                     *               "new": 44,
                     *               "old": null,
                     *               "limit": 20,
                     *               "why": "the new side finished 44 videos since the last step, of 20 that are needed"
                     *             }
                     *           ],
                     *           "gates_since": "2026-11-19T12:00:00.000Z",
                     *           "audit": [
                     *             {
                     *               "id": "aud_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *               "at": "2026-11-19T12:00:00.000Z",
                     *               "actor": "acme",
                     *               "action": "split.step",
                     *               "detail": {
                     *                 "from": 5,
                     *                 "to": 10,
                     *                 "forced": false
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Migration"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    stepSplit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StepSplit"];
            };
        };
        responses: {
            /** @description The split after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "split",
                     *       "rule": "rule_5b1f0c2a9d3e",
                     *       "path": "routing.rules[0]",
                     *       "when": {
                     *         "client": null,
                     *         "surface": "unified",
                     *         "source": null,
                     *         "metadata": {}
                     *       },
                     *       "by": "client",
                     *       "old": "main",
                     *       "new": "alt",
                     *       "file_weight": 0,
                     *       "ramp_weight": 10,
                     *       "weight": 10,
                     *       "stepped_at": "2026-11-19T12:00:00.000Z",
                     *       "stepped_by": "acme",
                     *       "resumed_at": null,
                     *       "stop_if": {
                     *         "failure_rate": 0.2,
                     *         "of": 20,
                     *         "window_seconds": 3600
                     *       },
                     *       "stopped": null,
                     *       "next_weight": 25,
                     *       "ready": true,
                     *       "gates": [
                     *         {
                     *           "name": "least_videos",
                     *           "held": true,
                     *           "new": 44,
                     *           "old": null,
                     *           "limit": 20,
                     *           "why": "the new side finished 44 videos since the last step, of 20 that are needed"
                     *         }
                     *       ],
                     *       "gates_since": "2026-11-19T12:00:00.000Z",
                     *       "audit": [
                     *         {
                     *           "id": "aud_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "at": "2026-11-19T12:00:00.000Z",
                     *           "actor": "acme",
                     *           "action": "split.step",
                     *           "detail": {
                     *             "from": 5,
                     *             "to": 10,
                     *             "forced": false
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Split"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["rule_not_found"];
            406: components["responses"]["not_acceptable"];
            409: components["responses"]["ramp_refused"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    rollbackSplit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeSplit"];
            };
        };
        responses: {
            /** @description The split after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "split",
                     *       "rule": "rule_5b1f0c2a9d3e",
                     *       "path": "routing.rules[0]",
                     *       "when": {
                     *         "client": null,
                     *         "surface": "unified",
                     *         "source": null,
                     *         "metadata": {}
                     *       },
                     *       "by": "client",
                     *       "old": "main",
                     *       "new": "alt",
                     *       "file_weight": 0,
                     *       "ramp_weight": 0,
                     *       "weight": 0,
                     *       "stepped_at": "2026-11-19T12:00:00.000Z",
                     *       "stepped_by": "acme",
                     *       "resumed_at": null,
                     *       "stop_if": {
                     *         "failure_rate": 0.2,
                     *         "of": 20,
                     *         "window_seconds": 3600
                     *       },
                     *       "stopped": null,
                     *       "next_weight": 1,
                     *       "ready": true,
                     *       "gates": [
                     *         {
                     *           "name": "least_videos",
                     *           "held": true,
                     *           "new": 44,
                     *           "old": null,
                     *           "limit": 20,
                     *           "why": "the new side finished 44 videos since the last step, of 20 that are needed"
                     *         }
                     *       ],
                     *       "gates_since": "2026-11-19T12:00:00.000Z",
                     *       "audit": [
                     *         {
                     *           "id": "aud_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "at": "2026-11-19T12:00:00.000Z",
                     *           "actor": "acme",
                     *           "action": "split.step",
                     *           "detail": {
                     *             "from": 5,
                     *             "to": 10,
                     *             "forced": false
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Split"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["rule_not_found"];
            406: components["responses"]["not_acceptable"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    resumeSplit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeSplit"];
            };
        };
        responses: {
            /** @description The split after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "split",
                     *       "rule": "rule_5b1f0c2a9d3e",
                     *       "path": "routing.rules[0]",
                     *       "when": {
                     *         "client": null,
                     *         "surface": "unified",
                     *         "source": null,
                     *         "metadata": {}
                     *       },
                     *       "by": "client",
                     *       "old": "main",
                     *       "new": "alt",
                     *       "file_weight": 0,
                     *       "ramp_weight": 10,
                     *       "weight": 10,
                     *       "stepped_at": "2026-11-19T12:00:00.000Z",
                     *       "stepped_by": "acme",
                     *       "resumed_at": null,
                     *       "stop_if": {
                     *         "failure_rate": 0.2,
                     *         "of": 20,
                     *         "window_seconds": 3600
                     *       },
                     *       "stopped": null,
                     *       "next_weight": 25,
                     *       "ready": false,
                     *       "gates": [
                     *         {
                     *           "name": "least_videos",
                     *           "held": true,
                     *           "new": 44,
                     *           "old": null,
                     *           "limit": 20,
                     *           "why": "the new side finished 44 videos since the last step, of 20 that are needed"
                     *         }
                     *       ],
                     *       "gates_since": "2026-11-19T12:00:00.000Z",
                     *       "audit": [
                     *         {
                     *           "id": "aud_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "at": "2026-11-19T12:00:00.000Z",
                     *           "actor": "acme",
                     *           "action": "split.step",
                     *           "detail": {
                     *             "from": 5,
                     *             "to": 10,
                     *             "forced": false
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Split"];
                };
            };
            400: components["responses"]["invalid_request-and-1-more-2"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            404: components["responses"]["rule_not_found"];
            406: components["responses"]["not_acceptable"];
            409: components["responses"]["ramp_refused"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable"];
        };
    };
    getMigrationReport: {
        parameters: {
            query: {
                /**
                 * @description The backend whose recorded requests are checked
                 * @example main
                 */
                from: string;
                /**
                 * @description The backend that they are checked against
                 * @example alt
                 */
                to: string;
                /**
                 * @description Only videos created since this time: a duration before now (`90m`, `24h`, `30d`), or a time in ISO 8601
                 * @example 30d
                 */
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "migration_report",
                     *       "from": "main",
                     *       "to": "alt",
                     *       "since": "2026-10-21T12:00:00.000Z",
                     *       "until": "2026-11-20T12:00:00.000Z",
                     *       "videos": 1000,
                     *       "imported": 0,
                     *       "verdicts": {
                     *         "untouched": 410,
                     *         "warnings": 120,
                     *         "not_at_all": 470,
                     *         "unverified": 0
                     *       },
                     *       "catalogues": [
                     *         {
                     *           "backend": "main",
                     *           "voices": 45,
                     *           "puppets": 4,
                     *           "problem": null
                     *         },
                     *         {
                     *           "backend": "alt",
                     *           "voices": 8,
                     *           "puppets": 6,
                     *           "problem": null
                     *         }
                     *       ],
                     *       "losses": [
                     *         {
                     *           "code": "voice_not_found",
                     *           "field": "voice_id",
                     *           "verdict": "not_at_all",
                     *           "videos": 310,
                     *           "share": 0.31,
                     *           "example": "alt does not have this voice, and no alias has one for it"
                     *         }
                     *       ],
                     *       "unverified": [],
                     *       "clients": [
                     *         {
                     *           "client": "acme",
                     *           "videos": 1000,
                     *           "verdicts": {
                     *             "untouched": 410,
                     *             "warnings": 120,
                     *             "not_at_all": 470,
                     *             "unverified": 0
                     *           }
                     *         }
                     *       ],
                     *       "other_clients": 0,
                     *       "pinned": {
                     *         "request": 12,
                     *         "id": 0
                     *       },
                     *       "default_voices": 85,
                     *       "lacking": [
                     *         {
                     *           "kind": "voice",
                     *           "id": "sandbox-en-us-ava",
                     *           "name": "Ava",
                     *           "language": "en-US",
                     *           "gender": "female",
                     *           "videos": 310,
                     *           "candidates": [
                     *             {
                     *               "id": "voice_amber",
                     *               "name": "Amber",
                     *               "language": "en-US",
                     *               "gender": "female",
                     *               "score": 0.929,
                     *               "why": "same language (en-US), same gender (female), names 29 % alike"
                     *             }
                     *           ],
                     *           "alias": "ava"
                     *         }
                     *       ],
                     *       "other_lacking": {
                     *         "voices": 0,
                     *         "portraits": 0
                     *       },
                     *       "aliases": "aliases:\n  voices:\n    ava: { main: \"sandbox-en-us-ava\", alt: \"voice_amber\" } # 310 videos; same language (en-US), same gender (female), names 29 % alike\n  puppets: {}\n",
                     *       "shadow": {
                     *         "videos": 0,
                     *         "verdicts": {
                     *           "untouched": 0,
                     *           "warnings": 0,
                     *           "not_at_all": 0,
                     *           "unverified": 0
                     *         },
                     *         "dropped": 0
                     *       },
                     *       "observed": {
                     *         "videos": 50,
                     *         "refused": 16,
                     *         "failed": 0
                     *       },
                     *       "compared": [
                     *         {
                     *           "code": "voice_not_found",
                     *           "field": "voice_id",
                     *           "predicted": 0.31,
                     *           "shadowed": null,
                     *           "observed": 0.24,
                     *           "warned": 0,
                     *           "refused": 16,
                     *           "failed": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MigrationReport"];
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient_scope"];
            406: components["responses"]["not_acceptable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["store_unavailable-and-1-more-2"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["invalid_request-2"];
            500: components["responses"]["internal_error-2"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The gateway is ready. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["invalid_request-2"];
            500: components["responses"]["internal_error-2"];
            /** @description `store_unavailable`: Store unavailable. `shutting_down`: Shutting down */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "store_unavailable" | "shutting_down";
                    };
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What this process counted since it started, and what it reads from the store. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["invalid_request-2"];
            401: components["responses"]["unauthenticated"];
            /** @description `not_found`: Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "not_found";
                    };
                };
            };
            500: components["responses"]["internal_error-2"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: {
                /** @description Describes only this surface */
                surface?: "unified" | "primary" | "alternate";
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer. You get 304 while nothing changed.
                 * @example "q2h0xGkLrJmZ8w4Tz1VbN5sYc7d"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApi"];
                };
            };
            304: components["responses"]["answer-304"];
            400: components["responses"]["invalid_request-2"];
            500: components["responses"]["internal_error-2"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer. You get 304 while nothing changed.
                 * @example "q2h0xGkLrJmZ8w4Tz1VbN5sYc7d"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: components["responses"]["answer-304"];
            400: components["responses"]["invalid_request-2"];
            500: components["responses"]["internal_error-2"];
        };
    };
    createVideoFromText: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice, such as `order-1001`. The same key and body make one thing, however often you send them. The same key with another body gets 409. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrimaryTextVideo"];
            };
        };
        responses: {
            200: components["responses"]["answer-200-3"];
            202: components["responses"]["answer-202-2"];
            /** @description `invalid_request`: Invalid request, Body is not valid JSON, The backend cannot do this, Webhook URL not allowed. `idempotency_key_mismatch`: Invalid Idempotency-Key. `invalid_image`: Unsupported image */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset-optional"];
                    "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                    "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            401: components["responses"]["unauthorized"];
            402: components["responses"]["insufficient_credits-2"];
            403: components["responses"]["insufficient_scope-2"];
            /** @description `voice_not_found`: Voice not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            409: components["responses"]["idempotency_key_conflict-and-1-more-2"];
            413: components["responses"]["payload_too_large-2"];
            415: components["responses"]["unsupported_media_type-2"];
            429: components["responses"]["rate_limited-and-2-more-2"];
            500: components["responses"]["internal_error-3"];
            502: components["responses"]["backend_error-and-1-more-2"];
            503: components["responses"]["temporarily_unavailable"];
        };
    };
    createVideoFromAudio: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice, such as `order-1001`. The same key and body make one thing, however often you send them. The same key with another body gets 409. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrimaryAudioVideo"];
            };
        };
        responses: {
            200: components["responses"]["answer-200-3"];
            202: components["responses"]["answer-202-2"];
            /** @description `invalid_request`: Invalid request, Body is not valid JSON, The backend cannot do this, Webhook URL not allowed, Upload not found, Upload not finished. `idempotency_key_mismatch`: Invalid Idempotency-Key. `invalid_image`: Unsupported image. `hosted_audio_upload_unavailable`: Upload check unavailable */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset-optional"];
                    "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                    "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            401: components["responses"]["unauthorized"];
            402: components["responses"]["insufficient_credits-2"];
            403: components["responses"]["insufficient_scope-2"];
            409: components["responses"]["idempotency_key_conflict-and-1-more-2"];
            413: components["responses"]["payload_too_large-2"];
            415: components["responses"]["unsupported_media_type-2"];
            429: components["responses"]["rate_limited-and-2-more-2"];
            500: components["responses"]["internal_error-3"];
            502: components["responses"]["backend_error-and-1-more-2"];
            503: components["responses"]["temporarily_unavailable"];
        };
    };
    getVideoJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example api_video_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    Location: components["headers"]["Primary-Location"];
                    "Content-Location": components["headers"]["Primary-Content-Location"];
                    "Service-Operation-Id": components["headers"]["Primary-Service-Operation-Id"];
                    "X-Service-Operation-Id": components["headers"]["Primary-X-Service-Operation-Id"];
                    "Service-Request-Id": components["headers"]["Primary-Service-Request-Id"];
                    "X-Service-Request-Id": components["headers"]["Primary-X-Service-Request-Id"];
                    "X-Service-Credits-Required": components["headers"]["Primary-X-Service-Credits-Required-optional"];
                    "X-Service-Credits-Remaining": components["headers"]["Primary-X-Service-Credits-Remaining-optional"];
                    "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                    "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "operation_id": "api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "request_id": "api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "status_url": "/api/v1/videos/api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "content_location": "/api/v1/videos/api_video_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "status": "queued",
                     *       "next_poll_at": "2026-11-20T12:00:12.000Z",
                     *       "nextPollAt": "2026-11-20T12:00:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PrimaryVideoJob"];
                };
            };
            400: components["responses"]["invalid_request-3"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope-2"];
            /** @description `job_not_found`: Video not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    Location: components["headers"]["Primary-Location"];
                    "Content-Location": components["headers"]["Primary-Content-Location"];
                    "Service-Operation-Id": components["headers"]["Primary-Service-Operation-Id"];
                    "X-Service-Operation-Id": components["headers"]["Primary-X-Service-Operation-Id"];
                    "Service-Request-Id": components["headers"]["Primary-Service-Request-Id"];
                    "X-Service-Request-Id": components["headers"]["Primary-X-Service-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            /** @description `rate_limited`: Rate limited */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                    "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            500: components["responses"]["internal_error-3"];
            /** @description `job_status_unavailable`: Backend error, Backend unavailable */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                    "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                    Location: components["headers"]["Primary-Location-optional"];
                    "Content-Location": components["headers"]["Primary-Content-Location-optional"];
                    "Service-Operation-Id": components["headers"]["Primary-Service-Operation-Id-optional"];
                    "X-Service-Operation-Id": components["headers"]["Primary-X-Service-Operation-Id-optional"];
                    "Service-Request-Id": components["headers"]["Primary-Service-Request-Id-optional"];
                    "X-Service-Request-Id": components["headers"]["Primary-X-Service-Request-Id-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            /** @description `temporarily_unavailable`: Store unavailable */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset-optional"];
                    "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                    "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            /** @description The contract has this answer. The gateway never gives it. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    Location: components["headers"]["Primary-Location"];
                    "Content-Location": components["headers"]["Primary-Content-Location"];
                    "Service-Operation-Id": components["headers"]["Primary-Service-Operation-Id"];
                    "X-Service-Operation-Id": components["headers"]["Primary-X-Service-Operation-Id"];
                    "Service-Request-Id": components["headers"]["Primary-Service-Request-Id"];
                    "X-Service-Request-Id": components["headers"]["Primary-X-Service-Request-Id"];
                    "Retry-After": components["headers"]["Primary-Retry-After"];
                    "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "job_status_timeout",
                     *       "message": "The lookup took too long",
                     *       "retryable": true
                     *     }
                     */
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
        };
    };
    primaryListPuppets: {
        parameters: {
            query?: {
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "puppet_ada",
                     *           "object": "puppet",
                     *           "name": "Ada",
                     *           "imageUrl": "https://example.com/ada.png",
                     *           "createdAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PrimaryPuppetList"];
                };
            };
            400: components["responses"]["invalid_request-3"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope-2"];
            429: components["responses"]["rate_limited-and-1-more"];
            500: components["responses"]["internal_error-3"];
            502: components["responses"]["backend_error-and-1-more-2"];
            503: components["responses"]["temporarily_unavailable-2"];
        };
    };
    primaryCreatePuppet: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice, such as `order-1001`. The same key and body make one thing, however often you send them. The same key with another body gets 409. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrimaryNewPuppet"];
            };
        };
        responses: {
            /** @description You repeated its `Idempotency-Key`. Nothing new is saved. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    "Talkbridge-Warning": components["headers"]["Primary-Talkbridge-Warning-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "puppet_ada",
                     *       "object": "puppet",
                     *       "name": "Ada",
                     *       "imageUrl": "https://example.com/ada.png",
                     *       "createdAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PrimaryPuppet"];
                };
            };
            /** @description The portrait is saved. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    "Talkbridge-Warning": components["headers"]["Primary-Talkbridge-Warning-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "puppet_ada",
                     *       "object": "puppet",
                     *       "name": "Ada",
                     *       "imageUrl": "https://example.com/ada.png",
                     *       "createdAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PrimaryPuppet"];
                };
            };
            /** @description `invalid_request`: Invalid request, Body is not valid JSON, Body too large, Unsupported media type, The backend cannot do this. `idempotency_key_mismatch`: Invalid Idempotency-Key. `invalid_image`: Unsupported image */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset-optional"];
                    "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                    "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope-2"];
            409: components["responses"]["idempotency_key_conflict-and-1-more-2"];
            429: components["responses"]["rate_limited-and-1-more"];
            500: components["responses"]["internal_error-3"];
            502: components["responses"]["backend_error-and-1-more-2"];
            503: components["responses"]["temporarily_unavailable-2"];
        };
    };
    primaryGetPuppet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example puppet_dov
                 */
                puppetId: components["parameters"]["puppetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "puppet_ada",
                     *       "object": "puppet",
                     *       "name": "Ada",
                     *       "imageUrl": "https://example.com/ada.png",
                     *       "createdAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PrimaryPuppet"];
                };
            };
            400: components["responses"]["invalid_request-3"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope-2"];
            404: components["responses"]["puppet_not_found"];
            429: components["responses"]["rate_limited-and-1-more"];
            500: components["responses"]["internal_error-3"];
            502: components["responses"]["backend_error-and-1-more-2"];
            503: components["responses"]["temporarily_unavailable-2"];
        };
    };
    primaryDeletePuppet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example puppet_dov
                 */
                puppetId: components["parameters"]["puppetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_request-3"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope-2"];
            404: components["responses"]["puppet_not_found"];
            429: components["responses"]["rate_limited-and-1-more"];
            500: components["responses"]["internal_error-3"];
            502: components["responses"]["backend_error-and-1-more-2"];
            503: components["responses"]["temporarily_unavailable-2"];
        };
    };
    listServiceVoices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All voices. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "sandbox-en-us-ava",
                     *           "object": "voice",
                     *           "name": "Ava",
                     *           "provider": "sandbox",
                     *           "language": "English (United States)",
                     *           "language_code": "en-US",
                     *           "gender": "Female",
                     *           "preview_url": "/previews/sandbox-en-us-ava.wav"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PrimaryVoiceList"];
                };
            };
            400: components["responses"]["invalid_request-3"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope-2"];
            429: components["responses"]["rate_limited-and-1-more"];
            500: components["responses"]["internal_error-3"];
            502: components["responses"]["backend_error-and-1-more-2"];
            503: components["responses"]["temporarily_unavailable-2"];
        };
    };
    createServiceSpeech: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrimarySpeechText"];
            };
        };
        responses: {
            /** @description A hosted WAV file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "audio_url": "https://storage.example/hello.wav"
                     *     }
                     */
                    "application/json": components["schemas"]["PrimarySpeech"];
                };
            };
            /** @description `invalid_request`: Invalid request, Body is not valid JSON, Body too large, Unsupported media type, The backend cannot do this */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset-optional"];
                    "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                    "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope-2"];
            /** @description `voice_not_found`: Voice not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            429: components["responses"]["rate_limited-and-1-more"];
            500: components["responses"]["internal_error-3"];
            502: components["responses"]["backend_error-and-1-more-2"];
            503: components["responses"]["temporarily_unavailable-2"];
        };
    };
    createHostedAudioUploadUrl: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice, such as `order-1001`. The same key and body make one thing, however often you send them. The same key with another body gets 409. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrimaryAudioUpload"];
            };
        };
        responses: {
            /** @description Signed URLs to upload to and to read from. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "upload_url": "https://storage.example/put/hello.mp3?signature=abc",
                     *       "read_url": "https://storage.example/hello.mp3?signature=def"
                     *     }
                     */
                    "application/json": components["schemas"]["PrimaryUpload"];
                };
            };
            /** @description `invalid_request`: Invalid request, Body is not valid JSON, The backend cannot do this. `idempotency_key_mismatch`: Invalid Idempotency-Key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset-optional"];
                    "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                    "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            401: components["responses"]["unauthorized"];
            402: components["responses"]["insufficient_credits-2"];
            403: components["responses"]["insufficient_scope-2"];
            /** @description `idempotency_key_conflict`: Idempotency-Key used with another request. `idempotency_key_in_progress`: The first request with this key is still running */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                    "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                    Location: components["headers"]["Primary-Location-optional"];
                    "Content-Location": components["headers"]["Primary-Content-Location-optional"];
                    "Service-Operation-Id": components["headers"]["Primary-Service-Operation-Id-optional"];
                    "X-Service-Operation-Id": components["headers"]["Primary-X-Service-Operation-Id-optional"];
                    "Service-Request-Id": components["headers"]["Primary-Service-Request-Id-optional"];
                    "X-Service-Request-Id": components["headers"]["Primary-X-Service-Request-Id-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            /** @description `payload_too_large`: Body too large. `file_too_large`: File too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimaryError"];
                };
            };
            429: components["responses"]["rate_limited-and-2-more-2"];
            500: components["responses"]["internal_error-3"];
            502: components["responses"]["backend_error-and-1-more-2"];
            503: components["responses"]["temporarily_unavailable-2"];
        };
    };
    getDeveloperApiUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["Primary-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Primary-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Primary-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Primary-X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Primary-Retry-After-optional"];
                    "X-Service-Next-Poll-At": components["headers"]["Primary-X-Service-Next-Poll-At-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credits": {
                     *         "balance": 9
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PrimaryUsage"];
                };
            };
            400: components["responses"]["invalid_request-3"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["insufficient_scope-2"];
            429: components["responses"]["rate_limited-and-1-more"];
            500: components["responses"]["internal_error-3"];
            502: components["responses"]["backend_error-and-1-more-2"];
            503: components["responses"]["temporarily_unavailable-2"];
        };
    };
    alternateListVideos: {
        parameters: {
            query?: {
                /** @description The number of the page. A page after the last one is empty */
                page?: number;
                /** @description The number of items on a page. Values outside the range get 400 */
                limit?: components["parameters"]["limit"];
                /** @description A video that waits in the gateway is `processing`. A canceled video is `failed` */
                status?: "processing" | "completed" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *           "status": "completed",
                     *           "puppet_id": "pup_ada",
                     *           "created_at": "2026-11-20T12:00:00.000Z",
                     *           "duration_sec": 4
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "total_pages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AlternateVideoList"];
                };
            };
            400: components["responses"]["invalid_request-4"];
            401: components["responses"]["unauthorized-2"];
            403: components["responses"]["forbidden"];
            429: components["responses"]["rate_limited-2"];
            500: components["responses"]["internal"];
            /** @description `temporarily_unavailable`: Store unavailable */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset-optional"];
                    "Retry-After": components["headers"]["Alternate-Retry-After-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlternateError"];
                };
            };
        };
    };
    alternateCreateVideo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlternateNewVideo"];
            };
        };
        responses: {
            /** @description The video is being made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    "Talkbridge-Warning": components["headers"]["Alternate-Talkbridge-Warning-optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "status": "processing",
                     *       "puppet_id": "pup_ada",
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "voice_id": "v_ava",
                     *       "resolution": "1080p",
                     *       "duration_estimate_sec": 4
                     *     }
                     */
                    "application/json": components["schemas"]["AlternateCreatedVideo"];
                };
            };
            /** @description `invalid_request`: Invalid request, Body is not valid JSON, The backend cannot do this, Webhook URL not allowed, Invalid Idempotency-Key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlternateError"];
                };
            };
            401: components["responses"]["unauthorized-2"];
            /** @description `insufficient_credits`: Not enough credits */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Alternate-Retry-After-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlternateError"];
                };
            };
            403: components["responses"]["forbidden"];
            /** @description `puppet_not_found`: Puppet not found. `voice_not_found`: Voice not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlternateError"];
                };
            };
            /** @description `idempotency_key_conflict`: Idempotency-Key used with another request. `idempotency_key_in_progress`: The first request with this key is still running */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Alternate-Retry-After-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlternateError"];
                };
            };
            /** @description `payload_too_large`: Body too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlternateError"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlternateError"];
                };
            };
            /** @description `rate_limited`: Rate limited. `quota_exceeded`: Quota exceeded. `concurrency_limit_reached`: Too many waiting videos */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Alternate-Retry-After-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlternateError"];
                };
            };
            500: components["responses"]["internal"];
            502: components["responses"]["backend_error"];
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable, Queue full */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit-optional"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining-optional"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset-optional"];
                    "Retry-After": components["headers"]["Alternate-Retry-After-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlternateError"];
                };
            };
            504: components["responses"]["backend_timeout-2"];
        };
    };
    alternateGetVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: components["parameters"]["id-9"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "status": "completed",
                     *       "puppet_id": "pup_ada",
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "duration_sec": 4,
                     *       "voice_id": "v_ava",
                     *       "resolution": "1080p",
                     *       "download_url": "https://cdn.example/7Hq2.mp4?signature=abc",
                     *       "thumbnail_url": "https://cdn.example/7Hq2.png",
                     *       "completed_at": "2026-11-20T12:00:41.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AlternateVideo"];
                };
            };
            400: components["responses"]["invalid_request-4"];
            401: components["responses"]["unauthorized-2"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["video_not_found-2"];
            429: components["responses"]["rate_limited-2"];
            500: components["responses"]["internal"];
            /** @description `backend_error`: Backend error */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Alternate-Retry-After-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlternateError"];
                };
            };
            503: components["responses"]["temporarily_unavailable-3"];
        };
    };
    alternateGetVideoDownload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id, as an earlier answer showed it.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: components["parameters"]["id-9"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A link that works now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "download_url": "https://cdn.example/7Hq2.mp4?signature=abc",
                     *       "expires_at": "2026-11-20T13:00:41.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AlternateDownload"];
                };
            };
            400: components["responses"]["invalid_request-4"];
            401: components["responses"]["unauthorized-2"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["video_not_found-2"];
            /** @description `video_not_ready`: Video not completed */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Alternate-Retry-After-optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlternateError"];
                };
            };
            429: components["responses"]["rate_limited-and-1-more-2"];
            500: components["responses"]["internal"];
            502: components["responses"]["backend_error"];
            503: components["responses"]["temporarily_unavailable-3"];
            504: components["responses"]["backend_timeout-2"];
        };
    };
    alternateListVoices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All voices. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "v_ava",
                     *           "name": "Ava",
                     *           "gender": "female",
                     *           "language": "en-US",
                     *           "preview_url": "https://cdn.example/ava.mp3"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AlternateVoiceList"];
                };
            };
            400: components["responses"]["invalid_request-4"];
            401: components["responses"]["unauthorized-2"];
            403: components["responses"]["forbidden"];
            429: components["responses"]["rate_limited-and-1-more-2"];
            500: components["responses"]["internal"];
            502: components["responses"]["backend_error"];
            503: components["responses"]["temporarily_unavailable-3"];
            504: components["responses"]["backend_timeout-2"];
        };
    };
    alternateListPuppets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All puppets. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["Alternate-X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["Alternate-X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["Alternate-X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["Alternate-X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "pup_ada",
                     *           "name": "Ada",
                     *           "type": "stock",
                     *           "thumbnail_url": "https://cdn.example/ada.png"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AlternatePuppetList"];
                };
            };
            400: components["responses"]["invalid_request-4"];
            401: components["responses"]["unauthorized-2"];
            403: components["responses"]["forbidden"];
            429: components["responses"]["rate_limited-and-1-more-2"];
            500: components["responses"]["internal"];
            502: components["responses"]["backend_error"];
            503: components["responses"]["temporarily_unavailable-3"];
            504: components["responses"]["backend_timeout-2"];
        };
    };
    "on.video.queued": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature for each live secret, separated by spaces: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description W3C Trace Context: the one of your create, or of a span that is linked to it. It is not signed.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "video.queued",
                 *       "timestamp": "2026-11-20T12:00:00.000Z",
                 *       "data": {
                 *         "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *         "object": "video",
                 *         "status": "queued",
                 *         "progress": null,
                 *         "backend": "main",
                 *         "interface": "primary",
                 *         "backend_job_id": "api_video_7Hq2",
                 *         "source": "text",
                 *         "video_url": null,
                 *         "video_url_expires_at": null,
                 *         "thumbnail_url": null,
                 *         "duration_seconds": null,
                 *         "duration_estimate_seconds": 4,
                 *         "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                 *         "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                 *         "error": null,
                 *         "credits": {
                 *           "charged": 1,
                 *           "remaining": 9
                 *         },
                 *         "warnings": [],
                 *         "metadata": {
                 *           "order": "1001"
                 *         },
                 *         "webhook_url": "https://app.example/hooks/videos",
                 *         "backend_status": "queued",
                 *         "routing": {
                 *           "chosen_by": "default",
                 *           "rule": null,
                 *           "considered": [
                 *             {
                 *               "backend": "main",
                 *               "verdict": "chosen",
                 *               "reason": null
                 *             }
                 *           ]
                 *         },
                 *         "replaces": null,
                 *         "replaced_by": null,
                 *         "queue": null,
                 *         "created_at": "2026-11-20T12:00:00.000Z",
                 *         "dispatched_at": "2026-11-20T12:00:00.120Z",
                 *         "completed_at": null,
                 *         "next_poll_at": "2026-11-20T12:00:15.000Z",
                 *         "sequence": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["VideoEvent"];
            };
        };
        responses: {
            /** @description Received. Every other 2xx means the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone. The gateway does not retry, and disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many requests. The gateway retries after a minute or later, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The gateway retries, with longer and longer waits. It does not follow redirects. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.video.processing": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature for each live secret, separated by spaces: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description W3C Trace Context: the one of your create, or of a span that is linked to it. It is not signed.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "video.processing",
                 *       "timestamp": "2026-11-20T12:00:00.000Z",
                 *       "data": {
                 *         "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *         "object": "video",
                 *         "status": "processing",
                 *         "progress": null,
                 *         "backend": "main",
                 *         "interface": "primary",
                 *         "backend_job_id": "api_video_7Hq2",
                 *         "source": "text",
                 *         "video_url": null,
                 *         "video_url_expires_at": null,
                 *         "thumbnail_url": null,
                 *         "duration_seconds": null,
                 *         "duration_estimate_seconds": 4,
                 *         "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                 *         "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                 *         "error": null,
                 *         "credits": {
                 *           "charged": 1,
                 *           "remaining": 9
                 *         },
                 *         "warnings": [],
                 *         "metadata": {
                 *           "order": "1001"
                 *         },
                 *         "webhook_url": "https://app.example/hooks/videos",
                 *         "backend_status": "processing",
                 *         "routing": {
                 *           "chosen_by": "default",
                 *           "rule": null,
                 *           "considered": [
                 *             {
                 *               "backend": "main",
                 *               "verdict": "chosen",
                 *               "reason": null
                 *             }
                 *           ]
                 *         },
                 *         "replaces": null,
                 *         "replaced_by": null,
                 *         "queue": null,
                 *         "created_at": "2026-11-20T12:00:00.000Z",
                 *         "dispatched_at": "2026-11-20T12:00:00.120Z",
                 *         "completed_at": null,
                 *         "next_poll_at": "2026-11-20T12:00:15.000Z",
                 *         "sequence": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["VideoEvent"];
            };
        };
        responses: {
            /** @description Received. Every other 2xx means the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone. The gateway does not retry, and disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many requests. The gateway retries after a minute or later, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The gateway retries, with longer and longer waits. It does not follow redirects. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.video.progress": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature for each live secret, separated by spaces: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description W3C Trace Context: the one of your create, or of a span that is linked to it. It is not signed.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "video.progress",
                 *       "timestamp": "2026-11-20T12:00:00.000Z",
                 *       "data": {
                 *         "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *         "object": "video",
                 *         "status": "processing",
                 *         "progress": 0.42,
                 *         "backend": "main",
                 *         "interface": "primary",
                 *         "backend_job_id": "api_video_7Hq2",
                 *         "source": "text",
                 *         "video_url": null,
                 *         "video_url_expires_at": null,
                 *         "thumbnail_url": null,
                 *         "duration_seconds": null,
                 *         "duration_estimate_seconds": 4,
                 *         "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                 *         "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                 *         "error": null,
                 *         "credits": {
                 *           "charged": 1,
                 *           "remaining": 9
                 *         },
                 *         "warnings": [],
                 *         "metadata": {
                 *           "order": "1001"
                 *         },
                 *         "webhook_url": "https://app.example/hooks/videos",
                 *         "backend_status": "processing",
                 *         "routing": {
                 *           "chosen_by": "default",
                 *           "rule": null,
                 *           "considered": [
                 *             {
                 *               "backend": "main",
                 *               "verdict": "chosen",
                 *               "reason": null
                 *             }
                 *           ]
                 *         },
                 *         "replaces": null,
                 *         "replaced_by": null,
                 *         "queue": null,
                 *         "created_at": "2026-11-20T12:00:00.000Z",
                 *         "dispatched_at": "2026-11-20T12:00:00.120Z",
                 *         "completed_at": null,
                 *         "next_poll_at": "2026-11-20T12:00:15.000Z",
                 *         "sequence": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["VideoEvent"];
            };
        };
        responses: {
            /** @description Received. Every other 2xx means the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone. The gateway does not retry, and disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many requests. The gateway retries after a minute or later, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The gateway retries, with longer and longer waits. It does not follow redirects. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.video.completed": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature for each live secret, separated by spaces: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description W3C Trace Context: the one of your create, or of a span that is linked to it. It is not signed.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "video.completed",
                 *       "timestamp": "2026-11-20T12:00:41.000Z",
                 *       "data": {
                 *         "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *         "object": "video",
                 *         "status": "completed",
                 *         "progress": 1,
                 *         "backend": "main",
                 *         "interface": "primary",
                 *         "backend_job_id": "api_video_7Hq2",
                 *         "source": "text",
                 *         "video_url": null,
                 *         "video_url_expires_at": null,
                 *         "thumbnail_url": null,
                 *         "duration_seconds": 4.2,
                 *         "duration_estimate_seconds": 4,
                 *         "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                 *         "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                 *         "error": null,
                 *         "credits": {
                 *           "charged": 1,
                 *           "remaining": 9
                 *         },
                 *         "warnings": [],
                 *         "metadata": {
                 *           "order": "1001"
                 *         },
                 *         "webhook_url": "https://app.example/hooks/videos",
                 *         "backend_status": "completed",
                 *         "routing": {
                 *           "chosen_by": "default",
                 *           "rule": null,
                 *           "considered": [
                 *             {
                 *               "backend": "main",
                 *               "verdict": "chosen",
                 *               "reason": null
                 *             }
                 *           ]
                 *         },
                 *         "replaces": null,
                 *         "replaced_by": null,
                 *         "queue": null,
                 *         "created_at": "2026-11-20T12:00:00.000Z",
                 *         "dispatched_at": "2026-11-20T12:00:00.120Z",
                 *         "completed_at": "2026-11-20T12:00:41.000Z",
                 *         "next_poll_at": null,
                 *         "sequence": 4,
                 *         "timing": {
                 *           "accepted_at": "2026-11-20T12:00:00.000Z",
                 *           "detected_at": "2026-11-20T12:00:41.000Z",
                 *           "uncertainty_ms": 1000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["VideoEvent"];
            };
        };
        responses: {
            /** @description Received. Every other 2xx means the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone. The gateway does not retry, and disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many requests. The gateway retries after a minute or later, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The gateway retries, with longer and longer waits. It does not follow redirects. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.video.failed": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature for each live secret, separated by spaces: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description W3C Trace Context: the one of your create, or of a span that is linked to it. It is not signed.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "video.failed",
                 *       "timestamp": "2026-11-20T12:00:41.000Z",
                 *       "data": {
                 *         "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *         "object": "video",
                 *         "status": "failed",
                 *         "progress": null,
                 *         "backend": "main",
                 *         "interface": "primary",
                 *         "backend_job_id": "api_video_7Hq2",
                 *         "source": "text",
                 *         "video_url": null,
                 *         "video_url_expires_at": null,
                 *         "thumbnail_url": null,
                 *         "duration_seconds": null,
                 *         "duration_estimate_seconds": 4,
                 *         "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                 *         "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                 *         "error": {
                 *           "code": "backend_failed",
                 *           "message": "the backend could not make it",
                 *           "retryable": false,
                 *           "backend_error": null
                 *         },
                 *         "credits": {
                 *           "charged": 1,
                 *           "remaining": 9
                 *         },
                 *         "warnings": [],
                 *         "metadata": {
                 *           "order": "1001"
                 *         },
                 *         "webhook_url": "https://app.example/hooks/videos",
                 *         "backend_status": "failed",
                 *         "routing": {
                 *           "chosen_by": "default",
                 *           "rule": null,
                 *           "considered": [
                 *             {
                 *               "backend": "main",
                 *               "verdict": "chosen",
                 *               "reason": null
                 *             }
                 *           ]
                 *         },
                 *         "replaces": null,
                 *         "replaced_by": null,
                 *         "queue": null,
                 *         "created_at": "2026-11-20T12:00:00.000Z",
                 *         "dispatched_at": "2026-11-20T12:00:00.120Z",
                 *         "completed_at": "2026-11-20T12:00:41.000Z",
                 *         "next_poll_at": null,
                 *         "sequence": 4,
                 *         "timing": {
                 *           "accepted_at": "2026-11-20T12:00:00.000Z",
                 *           "detected_at": "2026-11-20T12:00:41.000Z",
                 *           "uncertainty_ms": 1000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["VideoEvent"];
            };
        };
        responses: {
            /** @description Received. Every other 2xx means the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone. The gateway does not retry, and disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many requests. The gateway retries after a minute or later, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The gateway retries, with longer and longer waits. It does not follow redirects. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.video.canceled": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature for each live secret, separated by spaces: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description W3C Trace Context: the one of your create, or of a span that is linked to it. It is not signed.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "video.canceled",
                 *       "timestamp": "2026-11-20T12:00:41.000Z",
                 *       "data": {
                 *         "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *         "object": "video",
                 *         "status": "canceled",
                 *         "progress": null,
                 *         "backend": "main",
                 *         "interface": "primary",
                 *         "backend_job_id": "api_video_7Hq2",
                 *         "source": "text",
                 *         "video_url": null,
                 *         "video_url_expires_at": null,
                 *         "thumbnail_url": null,
                 *         "duration_seconds": null,
                 *         "duration_estimate_seconds": 4,
                 *         "content_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/content?sig=EP7odcGDjRmGeZPum7cnPb02",
                 *         "events_url": "https://gateway.example/unified/v1/videos/vid_01M7WA9S7VF4P8S27TV0W2QQJ9/events?sig=x9Tq4mWb7sKc2VfHj8LrNd3Z",
                 *         "error": null,
                 *         "credits": {
                 *           "charged": 1,
                 *           "remaining": 9
                 *         },
                 *         "warnings": [],
                 *         "metadata": {
                 *           "order": "1001"
                 *         },
                 *         "webhook_url": "https://app.example/hooks/videos",
                 *         "backend_status": "canceled",
                 *         "routing": {
                 *           "chosen_by": "default",
                 *           "rule": null,
                 *           "considered": [
                 *             {
                 *               "backend": "main",
                 *               "verdict": "chosen",
                 *               "reason": null
                 *             }
                 *           ]
                 *         },
                 *         "replaces": null,
                 *         "replaced_by": null,
                 *         "queue": null,
                 *         "created_at": "2026-11-20T12:00:00.000Z",
                 *         "dispatched_at": "2026-11-20T12:00:00.120Z",
                 *         "completed_at": "2026-11-20T12:00:41.000Z",
                 *         "next_poll_at": null,
                 *         "sequence": 4,
                 *         "timing": {
                 *           "accepted_at": "2026-11-20T12:00:00.000Z",
                 *           "detected_at": "2026-11-20T12:00:41.000Z",
                 *           "uncertainty_ms": 1000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["VideoEvent"];
            };
        };
        responses: {
            /** @description Received. Every other 2xx means the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone. The gateway does not retry, and disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many requests. The gateway retries after a minute or later, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The gateway retries, with longer and longer waits. It does not follow redirects. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.endpoint.disabled": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature for each live secret, separated by spaces: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description W3C Trace Context: the one of your create, or of a span that is linked to it. It is not signed.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "endpoint.disabled",
                 *       "timestamp": "2026-11-20T12:00:00.000Z",
                 *       "data": {
                 *         "endpoint_id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                 *         "description": null,
                 *         "reason": "gone",
                 *         "disabled_at": "2026-11-20T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EndpointDisabledEvent"];
            };
        };
        responses: {
            /** @description Received. Every other 2xx means the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone. The gateway does not retry, and disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many requests. The gateway retries after a minute or later, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The gateway retries, with longer and longer waits. It does not follow redirects. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.routing.stopped": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature for each live secret, separated by spaces: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description W3C Trace Context: the one of your create, or of a span that is linked to it. It is not signed.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "routing.stopped",
                 *       "timestamp": "2026-11-20T12:00:00.000Z",
                 *       "data": {
                 *         "rule": "rule_5b1f0c2a9d3e",
                 *         "old": "main",
                 *         "new": "alt",
                 *         "weight": 10,
                 *         "outcomes_since": "2026-11-20T11:00:00.000Z",
                 *         "outcomes": {
                 *           "old": {
                 *             "videos": 87,
                 *             "failed": 1
                 *           },
                 *           "new": {
                 *             "videos": 20,
                 *             "failed": 6
                 *           }
                 *         },
                 *         "stopped_at": "2026-11-20T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RoutingStoppedEvent"];
            };
        };
        responses: {
            /** @description Received. Every other 2xx means the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone. The gateway does not retry, and disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many requests. The gateway retries after a minute or later, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The gateway retries, with longer and longer waits. It does not follow redirects. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.quota.warning": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature for each live secret, separated by spaces: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description W3C Trace Context: the one of your create, or of a span that is linked to it. It is not signed.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "quota.warning",
                 *       "timestamp": "2026-11-20T12:00:00.000Z",
                 *       "data": {
                 *         "quota": "videos_per_month",
                 *         "threshold": 80,
                 *         "used": 80,
                 *         "limit": 100,
                 *         "month": "2026-11",
                 *         "resets_at": "2026-12-01T00:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["QuotaWarningEvent"];
            };
        };
        responses: {
            /** @description Received. Every other 2xx means the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone. The gateway does not retry, and disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many requests. The gateway retries after a minute or later, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The gateway retries, with longer and longer waits. It does not follow redirects. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.webhook.test": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature for each live secret, separated by spaces: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description W3C Trace Context: the one of your create, or of a span that is linked to it. It is not signed.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "webhook.test",
                 *       "timestamp": "2026-11-20T12:00:00.000Z",
                 *       "data": {
                 *         "endpoint_id": "we_01M7WA9S7VF4P8S27TV0W2QQJA"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description Received. Every other 2xx means the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The gateway does not disable the endpoint, because this was a test. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The gateway does not retry. The answer to the test shows the result. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAlternateVideoReady: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description The time of the attempt, in Unix seconds.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature for each live secret, separated by spaces: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description W3C Trace Context: the one of your create, or of a span that is linked to it. It is not signed.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "video.completed",
                 *       "timestamp": "2026-11-20T12:00:41.000Z",
                 *       "data": {
                 *         "id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                 *         "status": "completed",
                 *         "puppet_id": "pup_ada",
                 *         "created_at": "2026-11-20T12:00:00.000Z",
                 *         "duration_sec": 4,
                 *         "voice_id": "v_ava",
                 *         "resolution": "1080p",
                 *         "download_url": "https://cdn.example/7Hq2.mp4?signature=abc",
                 *         "thumbnail_url": "https://cdn.example/7Hq2.png",
                 *         "completed_at": "2026-11-20T12:00:41.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AlternateCallback"];
            };
        };
        responses: {
            /** @description Received. Every other 2xx means the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone. The gateway does not retry, and disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many requests. The gateway retries after a minute or later, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The gateway retries, with longer and longer waits. It does not follow redirects. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
