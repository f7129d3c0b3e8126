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
         * @description Newest first, from the gateway's own records, yours alone. No video twice and none skipped. With `origin=backend` and a `backend` that has a list of its own: what that one knows, of whomever on the account, each page behind the last job of the one before, the newest 2,000 of it (`Talkbridge-Warning` says when there are more); that needs the scope `backends:read_all` instead, and costs requests of the account: a page that cannot be had yet is 503, and the reading goes on where it stood.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["listVideos"];
        put?: never;
        /**
         * Make a video
         * @description Give exactly one portrait (`image_url` or `puppet_id`) and exactly one source (`text`, alias `script`; `audio_url`; or `upload_id`). A backend is pinned by `backend`, else implied by the ids that are used, else the default one.
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
         * Try out a create, for free
         * @description Takes the body of createVideo, sends nothing and costs nothing: says for every backend of yours whether it could take the request, what would be lost, and the exact request that would be sent, its secrets masked. Whether a backend still has a voice or portrait is told by its catalogue as it was last read: nobody is asked.
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
         * Adopt a job that was made elsewhere
         * @description Of the same account. From then on it is polled, listed and announced like any other video. The job is the key: asked for again, the same video is answered as it is. A job that may be of a create whose outcome is not known yet is not given away.
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
         * @description From the gateway's records: never costs a request to the backend.
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
         * @description Server-sent events: the Video as a read answers it, at once and after every change that can be seen; `event:` is the type that a webhook would have, `id:` the version of the video. With `Last-Event-ID` only what is newer. A comment every 15 seconds keeps the line open; a slow reader gets the latest state only. Ends after the terminal event.
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
         * Cancel a video that waits
         * @description Only while it waits in the gateway and nothing is paid.
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
         * Get a link to the file
         * @description The signed link that is known while it is valid, else a fresh one from the backend.
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
         * Go to the file
         * @description The link to keep (`content_url`): with its own `sig` it needs no key.
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
         * @description Of all your backends. Each page goes on behind the last item of the one before, in the list as it is now. Backends whose list cannot be had are named by `Talkbridge-Warning`; if none can be had, that is the answer.
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
         * @description They belong to the backend's workspace: all its clients see them. Lists of several backends are as those of listVoices.
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
         * @description Only one that you saved through this gateway; another one is 403 `not_owner`.
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
         * Say a text, without a picture
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
         * Reserve a place for an audio file
         * @description Then `PUT` the file to `upload_url` with `headers`, straight to storage, and name the upload in createVideo as `upload_id`.
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
    "/unified/v1/backends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your backends
         * @description Health, capabilities, and what is left of budgets and slots.
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
         * What a backend says that its contract does not
         * @description Statuses, error codes and fields that the gateway met and does not know.
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
         * Credits, slots and counts
         * @description What each backend has left, and what you did through the gateway this month.
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
         * @description For the events of all your videos, at most 50 endpoints. The answer shows its secret: keep it, it is shown on rotation only.
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
         * @description What was still to be sent to it ends as failed.
         *
         *     Needs the scope `webhooks:write`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint
         * @description What is not given stays. While it is disabled, terminal events are held for it, 10,000 at most; those beyond are listed as failed deliveries. Enabling it releases them, ten a second.
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
         * Change an endpoint's secret
         * @description Until the old one expires, events carry a signature of each, the newest first.
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
         * @description Once, also to an endpoint that is disabled; nothing of it is kept. It takes its turn among the deliveries; a second one before the first has ended is 429.
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
         * Send past events once more
         * @description Of the types that it subscribes to, each once and under its own id, at most 10,000 a call: more is 400. It goes on after a restart. Each counts towards the 20,000 deliveries that you may have sent once more in an hour: beyond it 429.
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
         * Change your webhook secret
         * @description Until the old one expires, events carry a signature of each. A secret that is configured is 400.
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
         * @description Server-sent events: all that happens to your videos, webhook or not, in order; `data:` is the body that a webhook has, and `id:` begins with its `webhook-id` and a dot. From now on, or after `Last-Event-ID`, each event once. A comment every 15 seconds keeps the line open. Where events after that id are kept no more (`retention_days`), the first event is `stream.gap`, without an id, and the oldest that is kept comes next.
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
         * @description Of all your videos and endpoints, newest first, whether anybody was sent them or not. Kept 30 days.
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
         * Send an event once more
         * @description Under the same id, to the targets that it was owed to and the endpoints that want it now, those that are disabled aside; streams of events tell it once more. A retry that is pending is canceled: this one starts anew. Each delivery counts towards the 20,000 that you may have sent once more in an hour: beyond it 429.
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
         * @description One for each event and target, newest first.
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
         * @description With its attempts, and what was answered to them.
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
    "/unified/v1/admin/videos/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get any client’s video, and its doubt
         * @description What an operator needs before a word about a create: the attempt in doubt, and jobs that may be it.
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
         * End a doubt by word of an operator
         * @description A create whose outcome only the backend can tell: either it made that job, or there is none and the create is sent once more. That there is none is said of one attempt, `doubt.attempt` of the video; about one that is over it is refused. One that failed with `create_outcome_unknown` stays failed, and nothing is sent again: the job becomes a video of its own, of the same client, which `replaces` it, and that is the answer. The same job said again gets the same answer; another one, or that there is none, is refused: `video_replaced`.
         *
         *     Needs the scope `admin`.
         */
        post: operations["resolveVideo"];
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
         * See how backends compare, and how each ramp stands
         * @description How videos ended on each backend, under each rule and on both sides of each split, and every split with its weight in force, its gates and what was done to it. The latest 100,000 videos count; `counted` says whether there were more.
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
         * Give the new side of a split more
         * @description The next of 1, 5, 10, 25, 50 and 100 %, in force on every process within two seconds. Refused with 409 `ramp_refused` while a gate does not hold (`details.gates`), unless `force` says so; and while the split is stopped, whatever `force` says.
         *
         *     Needs the scope `admin`.
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
         * Give the new side of a split nothing more
         * @description At once, whatever holds. Videos that were sent there run to their end there.
         *
         *     Needs the scope `admin`.
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
         * Let a split go on that stopped itself
         * @description On at the weight that it had. Its canary and its gates count outcomes from now on. 409 `ramp_refused` if it is not stopped.
         *
         *     Needs the scope `admin`.
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
         * What a move to another backend would lose
         * @description Judges every recorded request of one backend for another, by the code of a create and by that backend’s catalogue; nothing is sent or paid. With `Accept: application/x-ndjson` the progress comes line by line, and the last line is the report. One at a time: beyond that 429.
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
        /** Is it alive? */
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
         * Can it take work?
         * @description The store can be written. A dead backend does not make the gateway unready.
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
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description Of all that the gateway serves; with `surface` that of one surface alone, for its clients and generators.
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
         * This document, for people
         * @description Works offline: everything that it needs is served from here. `/docs?surface=primary` shows one surface, `all` all of them.
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
         * @description The body has at most 65,536 bytes. `webhook_url` is the gateway’s own addition: the events of the video are sent there, signed, in the form of the unified API.
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
         * @description As createVideoFromText. The audio was uploaded through createHostedAudioUploadUrl with the same key.
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
         * @description From the gateway’s records: it costs the backend nothing, and the 504 of the contract does not occur.
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
         * @description With the backend’s own bytes where it speaks this interface. The samples at `preview_url` are fetched through the gateway, too: `GET` that path, as the list gives it.
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
         * Say a text, without a picture
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
         * Reserve a place for an audio file
         * @description The body has at most 8,192 bytes, the file 52,428,800. Then `PUT` the file to the signed URL.
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
         * @description Your own, newest first, from the gateway’s records.
         *
         *     Needs the scope `videos:read`.
         */
        get: operations["alternateListVideos"];
        put?: never;
        /**
         * Create a video
         * @description With `webhook_url` a POST goes there when the video is ready, signed (Standard Webhooks).
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
         * A video was taken on
         * @description Standard Webhooks: signed with the secret of the target. 2xx is success, everything else is not, redirects included.
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
         * The backend is making it
         * @description Standard Webhooks: signed with the secret of the target. 2xx is success, everything else is not, redirects included.
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
         * It moved on; at most one in five seconds for each video
         * @description Standard Webhooks: signed with the secret of the target. 2xx is success, everything else is not, redirects included.
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
         * It is finished: `content_url` leads to it
         * @description Standard Webhooks: signed with the secret of the target. 2xx is success, everything else is not, redirects included.
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
         * It failed: `error` says why
         * @description Standard Webhooks: signed with the secret of the target. 2xx is success, everything else is not, redirects included.
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
         * It was canceled before anything was paid
         * @description Standard Webhooks: signed with the secret of the target. 2xx is success, everything else is not, redirects included.
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
         * Another of your endpoints was disabled, not by you
         * @description Standard Webhooks: signed with the secret of the target. 2xx is success, everything else is not, redirects included.
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
         * A canary stopped itself; sent to clients with the scope `admin`
         * @description Standard Webhooks: signed with the secret of the target. 2xx is success, everything else is not, redirects included.
         */
        post: operations["on.routing.stopped"];
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
         * You asked for it
         * @description Standard Webhooks: signed with the secret of the target. 2xx is success, everything else is not, redirects included.
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
         * @description Standard Webhooks: signed with the secret of the target. 2xx is success, everything else is not, redirects included.
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
             * @description The last three are terminal: nothing changes after them
             * @enum {string}
             */
            status: "queued" | "processing" | "completed" | "failed" | "canceled";
            /** @description 0 to 1; null when the backend tells none */
            progress: number | null;
            /** @description The configured backend that makes it */
            backend: string;
            /**
             * @description The kind of that backend; more may come
             * @example primary
             * @example alternate
             */
            interface: string;
            /** @description The backend's id of the job; null until it accepted */
            backend_job_id: string | null;
            /**
             * @description What it is made from
             * @enum {string}
             */
            source: "text" | "audio" | "import";
            /** @description As asked; null where nothing was asked. Can be sent again as it is */
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
            /** @description The backend's signed link; null before completion and once expired */
            video_url: string | null;
            /**
             * Format: date-time
             * @description Null where unknown
             */
            video_url_expires_at: string | null;
            thumbnail_url: string | null;
            /** @description Of the finished video */
            duration_seconds: number | null;
            /** @description As the backend estimates it beforehand */
            duration_estimate_seconds: number | null;
            /** @description The link to keep: needs no key, stays valid, leads to a fresh signed link */
            content_url: string;
            /** @description Null unless it failed */
            error: {
                /** @description `backend_failed`, `backend_job_lost`, `backend_job_expired`, `video_url_missing`, `create_outcome_unknown`, or the code of the refusal */
                code: string;
                message: string;
                /** @description Whether the same request may succeed later, as a new video */
                retryable: boolean;
                backend_error: components["schemas"]["BackendError"] | null;
            } | null;
            /** @description Null when the backend tells none */
            credits: {
                charged: number | null;
                remaining: number | null;
            } | null;
            /** @description Options that the backend cannot honour, with `unsupported: warn` */
            warnings: {
                /** @constant */
                code: "option_ignored";
                param: string;
                message: string;
            }[];
            /** @description As given */
            metadata: {
                [key: string]: string;
            };
            /** @description As given */
            webhook_url: string | null;
            /** @description The backend's own word, verbatim */
            backend_status: string | null;
            /** @description Why this backend makes it */
            routing: {
                /** @enum {string} */
                chosen_by: "request" | "id" | "rule" | "default" | "failover";
                /** @description The rule of the configuration that decided; null: none did */
                rule: string | null;
                considered: {
                    backend: string;
                    /** @enum {string} */
                    verdict: "chosen" | "passed_over";
                    reason: string | null;
                }[];
            };
            /** @description The failed video (`create_outcome_unknown`) that this one stands for */
            replaces: string | null;
            /** @description The video that an operator made of its job after it failed */
            replaced_by: string | null;
            /** @description Only while it waits in the gateway */
            queue: {
                /** @description 1 is next */
                position: number;
                /** @description What it waits for, such as `no_free_slot` */
                reason: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was handed to the backend
             */
            dispatched_at: string | null;
            /**
             * Format: date-time
             * @description When it became terminal
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When the gateway polls next; null when terminal
             */
            next_poll_at: string | null;
        };
        VideoWithTimeline: {
            /** @description `vid_…` */
            id: string;
            /** @constant */
            object: "video";
            /**
             * @description The last three are terminal: nothing changes after them
             * @enum {string}
             */
            status: "queued" | "processing" | "completed" | "failed" | "canceled";
            /** @description 0 to 1; null when the backend tells none */
            progress: number | null;
            /** @description The configured backend that makes it */
            backend: string;
            /**
             * @description The kind of that backend; more may come
             * @example primary
             * @example alternate
             */
            interface: string;
            /** @description The backend's id of the job; null until it accepted */
            backend_job_id: string | null;
            /**
             * @description What it is made from
             * @enum {string}
             */
            source: "text" | "audio" | "import";
            /** @description As asked; null where nothing was asked. Can be sent again as it is */
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
            /** @description The backend's signed link; null before completion and once expired */
            video_url: string | null;
            /**
             * Format: date-time
             * @description Null where unknown
             */
            video_url_expires_at: string | null;
            thumbnail_url: string | null;
            /** @description Of the finished video */
            duration_seconds: number | null;
            /** @description As the backend estimates it beforehand */
            duration_estimate_seconds: number | null;
            /** @description The link to keep: needs no key, stays valid, leads to a fresh signed link */
            content_url: string;
            /** @description Null unless it failed */
            error: {
                /** @description `backend_failed`, `backend_job_lost`, `backend_job_expired`, `video_url_missing`, `create_outcome_unknown`, or the code of the refusal */
                code: string;
                message: string;
                /** @description Whether the same request may succeed later, as a new video */
                retryable: boolean;
                backend_error: components["schemas"]["BackendError"] | null;
            } | null;
            /** @description Null when the backend tells none */
            credits: {
                charged: number | null;
                remaining: number | null;
            } | null;
            /** @description Options that the backend cannot honour, with `unsupported: warn` */
            warnings: {
                /** @constant */
                code: "option_ignored";
                param: string;
                message: string;
            }[];
            /** @description As given */
            metadata: {
                [key: string]: string;
            };
            /** @description As given */
            webhook_url: string | null;
            /** @description The backend's own word, verbatim */
            backend_status: string | null;
            /** @description Why this backend makes it */
            routing: {
                /** @enum {string} */
                chosen_by: "request" | "id" | "rule" | "default" | "failover";
                /** @description The rule of the configuration that decided; null: none did */
                rule: string | null;
                considered: {
                    backend: string;
                    /** @enum {string} */
                    verdict: "chosen" | "passed_over";
                    reason: string | null;
                }[];
            };
            /** @description The failed video (`create_outcome_unknown`) that this one stands for */
            replaces: string | null;
            /** @description The video that an operator made of its job after it failed */
            replaced_by: string | null;
            /** @description Only while it waits in the gateway */
            queue: {
                /** @description 1 is next */
                position: number;
                /** @description What it waits for, such as `no_free_slot` */
                reason: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was handed to the backend
             */
            dispatched_at: string | null;
            /**
             * Format: date-time
             * @description When it became terminal
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When the gateway polls next; null when terminal
             */
            next_poll_at: string | null;
            /** @description Only with `expand=timeline` */
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
            /** @description Opaque; null on the last page */
            next_cursor: string | null;
        };
        AdminVideo: {
            /** @description `vid_…` */
            id: string;
            /** @constant */
            object: "video";
            /**
             * @description The last three are terminal: nothing changes after them
             * @enum {string}
             */
            status: "queued" | "processing" | "completed" | "failed" | "canceled";
            /** @description 0 to 1; null when the backend tells none */
            progress: number | null;
            /** @description The configured backend that makes it */
            backend: string;
            /**
             * @description The kind of that backend; more may come
             * @example primary
             * @example alternate
             */
            interface: string;
            /** @description The backend's id of the job; null until it accepted */
            backend_job_id: string | null;
            /**
             * @description What it is made from
             * @enum {string}
             */
            source: "text" | "audio" | "import";
            /** @description As asked; null where nothing was asked. Can be sent again as it is */
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
            /** @description The backend's signed link; null before completion and once expired */
            video_url: string | null;
            /**
             * Format: date-time
             * @description Null where unknown
             */
            video_url_expires_at: string | null;
            thumbnail_url: string | null;
            /** @description Of the finished video */
            duration_seconds: number | null;
            /** @description As the backend estimates it beforehand */
            duration_estimate_seconds: number | null;
            /** @description The link to keep: needs no key, stays valid, leads to a fresh signed link */
            content_url: string;
            /** @description Null unless it failed */
            error: {
                /** @description `backend_failed`, `backend_job_lost`, `backend_job_expired`, `video_url_missing`, `create_outcome_unknown`, or the code of the refusal */
                code: string;
                message: string;
                /** @description Whether the same request may succeed later, as a new video */
                retryable: boolean;
                backend_error: components["schemas"]["BackendError"] | null;
            } | null;
            /** @description Null when the backend tells none */
            credits: {
                charged: number | null;
                remaining: number | null;
            } | null;
            /** @description Options that the backend cannot honour, with `unsupported: warn` */
            warnings: {
                /** @constant */
                code: "option_ignored";
                param: string;
                message: string;
            }[];
            /** @description As given */
            metadata: {
                [key: string]: string;
            };
            /** @description As given */
            webhook_url: string | null;
            /** @description The backend's own word, verbatim */
            backend_status: string | null;
            /** @description Why this backend makes it */
            routing: {
                /** @enum {string} */
                chosen_by: "request" | "id" | "rule" | "default" | "failover";
                /** @description The rule of the configuration that decided; null: none did */
                rule: string | null;
                considered: {
                    backend: string;
                    /** @enum {string} */
                    verdict: "chosen" | "passed_over";
                    reason: string | null;
                }[];
            };
            /** @description The failed video (`create_outcome_unknown`) that this one stands for */
            replaces: string | null;
            /** @description The video that an operator made of its job after it failed */
            replaced_by: string | null;
            /** @description Only while it waits in the gateway */
            queue: {
                /** @description 1 is next */
                position: number;
                /** @description What it waits for, such as `no_free_slot` */
                reason: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was handed to the backend
             */
            dispatched_at: string | null;
            /**
             * Format: date-time
             * @description When it became terminal
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When the gateway polls next; null when terminal
             */
            next_poll_at: string | null;
            /** @description Null unless its create is in doubt, or was given up as unknown */
            doubt: {
                /** @description False: it was given up */
                open: boolean;
                /** @description The create attempt whose outcome is not known: say it with `absent` */
                attempt: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds
                 */
                since: string | null;
                /** @description The backend's jobs that may be it, as far as its list was read */
                candidates: string[];
            } | null;
        };
        BackendVideo: {
            /** @constant */
            object: "backend_video";
            backend: string;
            /** @description The backend's own id of it: what importVideo takes */
            backend_job_id: string;
            /**
             * @description Null where its word for it is unknown
             * @enum {string|null}
             */
            status: "queued" | "processing" | "completed" | "failed" | "canceled" | null;
            /** @description `<backend>:<native id>` */
            puppet_id: string | null;
            /** Format: date-time */
            created_at: string | null;
            /** @description Your video of this job; null where it is none of yours */
            video_id: string | null;
        };
        BackendVideoList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["BackendVideo"][];
            has_more: boolean;
            /** @description Opaque; null on the last page */
            next_cursor: string | null;
        };
        /** @description The latter only with `origin=backend` */
        VideoListOfOrigin: components["schemas"]["VideoList"] | components["schemas"]["BackendVideoList"];
        Download: {
            /** @description The backend's signed link */
            download_url: string;
            /**
             * Format: date-time
             * @description Null where unknown
             */
            expires_at: string | null;
        };
        Check: {
            /** @constant */
            object: "check";
            /** @description The backend that routing would choose; null when none can take it */
            chosen: string | null;
            /** @description Why that one; null when none can take it */
            routing: {
                /** @enum {string} */
                chosen_by: "request" | "id" | "rule" | "default" | "failover";
                /** @description The rule of the configuration that decided; null: none did */
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
                 * @description `unavailable`: it could, but not now
                 * @enum {string}
                 */
                verdict: "ok" | "warn" | "unsupported" | "unavailable";
                /** @description What would be lost, or is not certain */
                warnings: {
                    /**
                     * @description `not_verified`: whether the backend has it is not known without asking
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
            /** @description `<backend>:<native id>`: also says which backend */
            id: string;
            /** @constant */
            object: "voice";
            backend: string;
            name: string | null;
            provider: string | null;
            /** @description Display name of `language_code` */
            language: string | null;
            /** @description BCP 47, such as `en-GB` */
            language_code: string | null;
            /** @description Lower case */
            gender: string | null;
            /** @description Absolute */
            preview_url: string | null;
        };
        VoiceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Voice"][];
            has_more: boolean;
            /** @description Opaque; null on the last page */
            next_cursor: string | null;
        };
        Puppet: {
            /** @description `<backend>:<native id>`: also says which backend */
            id: string;
            /** @constant */
            object: "puppet";
            backend: string;
            name: string | null;
            /**
             * @description `stock`: of the backend; `custom`: saved by somebody of its workspace
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
            /** @description Opaque; null on the last page */
            next_cursor: string | null;
        };
        Speech: {
            /** @constant */
            object: "speech";
            /** @description Signed and short-lived */
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
            /** @description Send the file here, straight to storage */
            upload_url: string;
            /** @constant */
            method: "PUT";
            /** @description What the PUT must carry */
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
                /** @description Opaque: as the backend tells them */
                credit_packs: unknown[] | null;
                /** @description Whether it would accept a create now */
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
            };
        };
        Backend: {
            /** @constant */
            object: "backend";
            name: string;
            /**
             * @description The kind of that backend; more may come
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
            /** @description What its interface can do, as this gateway uses it */
            capabilities: {
                [key: string]: boolean;
            };
            limits: {
                /** @description The longest text that it takes; null where it names no limit */
                text_characters: number | null;
            };
            /** @description Requests to the backend, in its present window */
            budget: {
                limit: number;
                remaining: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds
                 */
                resets_at: string | null;
            };
            /** @description Jobs running at once; no limit where null */
            slots: {
                limit: number | null;
                used: number;
            };
            /** @description Videos that wait in the gateway for this backend */
            queue_depth: number;
            /** @description The replica that sends and polls for it now; null: none does */
            held_by: string | null;
        };
        BackendList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Backend"][];
            has_more: boolean;
            /** @description Opaque; null on the last page */
            next_cursor: string | null;
        };
        Drift: {
            /** @enum {string} */
            kind: "status" | "error_code" | "field";
            operation: string;
            /** @description The word or field that the contract does not know */
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
            /** @description Opaque; null on the last page */
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
            /** @description Whose requests were judged */
            videos: number;
            /** @description Made elsewhere: there is no request to judge */
            imported: number;
            verdicts: {
                untouched: number;
                warnings: number;
                not_at_all: number;
                unverified: number;
            };
            /** @description Of both backends, the old one first */
            catalogues: {
                backend: string;
                /** @description null: could not be read, so nothing is said of them */
                voices: number | null;
                puppets: number | null;
                /** @description The code of what kept it from being read */
                problem: string | null;
            }[];
            losses: {
                /** @description As the client would be told; `option_ignored` of a warning */
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
            /** @description Videos of clients that are not listed */
            other_clients: number;
            /** @description Videos whose request names the old backend, itself or by an id: no rule moves those */
            pinned: {
                request: number;
                id: number;
            };
            /** @description Videos without a voice: each service speaks them in its own */
            default_voices: number;
            lacking: {
                /** @enum {string} */
                kind: "voice" | "puppet" | "image";
                /** @description As the old backend calls it; or an image URL */
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
                /** @description Under which `aliases` has it; null: there only as a comment */
                alias: string | null;
            }[];
            /** @description Videos whose voice or portrait is not listed */
            other_lacking: {
                voices: number;
                portraits: number;
            };
            /** @description YAML: the whole section `aliases` of the configuration, to be pasted */
            aliases: string;
            /** @description Dropped: since the process began */
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
            /** @description On the new backend, in the same time */
            observed: {
                videos: number;
                refused: number;
                failed: number;
            };
            compared: {
                /** @description As the client would be told; `option_ignored` of a warning */
                code: string;
                field: string | null;
                /** @description Of the recorded requests */
                predicted: number;
                /** @description Of the shadows; null: there are none */
                shadowed: number | null;
                /** @description Of what the new backend was asked for since; null: nothing */
                observed: number | null;
                warned: number;
                refused: number;
                failed: number;
            }[];
        };
        WebhookSecret: {
            /** @constant */
            object: "webhook_secret";
            /** @description `whsec_…`, as Standard Webhooks libraries take it */
            secret: string;
        };
        WebhookEndpoint: {
            /** @description `we_…` */
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            url: string;
            /** @description What it is sent, beside `endpoint.disabled` of others and `routing.stopped` */
            events: ("video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled")[];
            description: string | null;
            enabled: boolean;
            /**
             * @description `client`: you said so; `gone`: it answered 410; `failures`: 100 in a row; `failing`: nothing else for 120 hours
             * @enum {string|null}
             */
            disabled_reason: "client" | "gone" | "failures" | "failing" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /** @description Failed attempts since the last that succeeded */
            failures: number;
            /** Format: date-time */
            failing_since: string | null;
            /** @description Terminal events that wait for it to be enabled */
            held: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookEndpointWithSecret: {
            /** @description `we_…` */
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            url: string;
            /** @description What it is sent, beside `endpoint.disabled` of others and `routing.stopped` */
            events: ("video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled")[];
            description: string | null;
            enabled: boolean;
            /**
             * @description `client`: you said so; `gone`: it answered 410; `failures`: 100 in a row; `failing`: nothing else for 120 hours
             * @enum {string|null}
             */
            disabled_reason: "client" | "gone" | "failures" | "failing" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /** @description Failed attempts since the last that succeeded */
            failures: number;
            /** Format: date-time */
            failing_since: string | null;
            /** @description Terminal events that wait for it to be enabled */
            held: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description `whsec_…`: signs its events; shown only now */
            secret: string;
        };
        WebhookEndpointList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["WebhookEndpoint"][];
            has_more: boolean;
            /** @description Opaque; null on the last page */
            next_cursor: string | null;
        };
        WebhookTest: {
            /** @constant */
            object: "webhook_test";
            /** @description It answered 2xx in time */
            delivered: boolean;
            /** @description Null: no whole answer came */
            status: number | null;
            /** @description Why it was not delivered, as in an attempt of a delivery; never what it answered */
            error: string | null;
            duration_ms: number;
        };
        Event: {
            /** @description `evt_…`: the `webhook-id` of every attempt to deliver it */
            id: string;
            /** @constant */
            object: "event";
            /** @enum {string} */
            type: "video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "endpoint.disabled" | "routing.stopped";
            /**
             * Format: date-time
             * @description When it happened
             */
            timestamp: string;
            video_id: string | null;
            /** @description As it was sent: see the webhook of this type */
            data: {
                [key: string]: unknown;
            };
        };
        EventList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Event"][];
            has_more: boolean;
            /** @description Opaque; null on the last page */
            next_cursor: string | null;
        };
        Delivery: {
            /** @description `dlv_…` */
            id: string;
            /** @constant */
            object: "delivery";
            event_id: string;
            /** @enum {string} */
            event_type: "video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "endpoint.disabled" | "routing.stopped";
            video_id: string | null;
            target: {
                /** @enum {string} */
                kind: "webhook_url" | "endpoint";
                endpoint_id: string | null;
                url: string;
            };
            /**
             * @description `held`: its endpoint is disabled
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "held";
            attempt_count: number;
            /** Format: date-time */
            next_attempt_at: string | null;
        };
        DeliveryWithAttempts: {
            /** @description `dlv_…` */
            id: string;
            /** @constant */
            object: "delivery";
            event_id: string;
            /** @enum {string} */
            event_type: "video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "endpoint.disabled" | "routing.stopped";
            video_id: string | null;
            target: {
                /** @enum {string} */
                kind: "webhook_url" | "endpoint";
                endpoint_id: string | null;
                url: string;
            };
            /**
             * @description `held`: its endpoint is disabled
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "held";
            attempt_count: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description Oldest first; the latest 100 */
            attempts: {
                /** Format: date-time */
                at: string;
                duration_ms: number;
                /** @description Null: no whole answer came */
                status: number | null;
                error: string | null;
                /** @description 16 KiB of it at most; null in all but the latest 5 */
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
            /** @description Opaque; null on the last page */
            next_cursor: string | null;
        };
        Redelivery: {
            /** @constant */
            object: "redelivery";
            event_id: string;
            /** @description What is sent once more; none where nobody wants it */
            deliveries: string[];
        };
        Replay: {
            /** @constant */
            object: "replay";
            endpoint_id: string;
            /** @description As many will be sent, in the order in which they happened */
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
                 * @description The last three are terminal: nothing changes after them
                 * @enum {string}
                 */
                status: "queued" | "processing" | "completed" | "failed" | "canceled";
                /** @description 0 to 1; null when the backend tells none */
                progress: number | null;
                /** @description The configured backend that makes it */
                backend: string;
                /**
                 * @description The kind of that backend; more may come
                 * @example primary
                 * @example alternate
                 */
                interface: string;
                /** @description The backend's id of the job; null until it accepted */
                backend_job_id: string | null;
                /**
                 * @description What it is made from
                 * @enum {string}
                 */
                source: "text" | "audio" | "import";
                /** @description The backend's signed link; null before completion and once expired */
                video_url: string | null;
                /**
                 * Format: date-time
                 * @description Null where unknown
                 */
                video_url_expires_at: string | null;
                thumbnail_url: string | null;
                /** @description Of the finished video */
                duration_seconds: number | null;
                /** @description As the backend estimates it beforehand */
                duration_estimate_seconds: number | null;
                /** @description The link to keep: needs no key, stays valid, leads to a fresh signed link */
                content_url: string;
                /** @description Null unless it failed */
                error: {
                    /** @description `backend_failed`, `backend_job_lost`, `backend_job_expired`, `video_url_missing`, `create_outcome_unknown`, or the code of the refusal */
                    code: string;
                    message: string;
                    /** @description Whether the same request may succeed later, as a new video */
                    retryable: boolean;
                    backend_error: components["schemas"]["BackendError"] | null;
                } | null;
                /** @description Null when the backend tells none */
                credits: {
                    charged: number | null;
                    remaining: number | null;
                } | null;
                /** @description Options that the backend cannot honour, with `unsupported: warn` */
                warnings: {
                    /** @constant */
                    code: "option_ignored";
                    param: string;
                    message: string;
                }[];
                /** @description As given */
                metadata: {
                    [key: string]: string;
                };
                /** @description As given */
                webhook_url: string | null;
                /** @description The backend's own word, verbatim */
                backend_status: string | null;
                /** @description Why this backend makes it */
                routing: {
                    /** @enum {string} */
                    chosen_by: "request" | "id" | "rule" | "default" | "failover";
                    /** @description The rule of the configuration that decided; null: none did */
                    rule: string | null;
                    considered: {
                        backend: string;
                        /** @enum {string} */
                        verdict: "chosen" | "passed_over";
                        reason: string | null;
                    }[];
                };
                /** @description The failed video (`create_outcome_unknown`) that this one stands for */
                replaces: string | null;
                /** @description The video that an operator made of its job after it failed */
                replaced_by: string | null;
                /** @description Only while it waits in the gateway */
                queue: {
                    /** @description 1 is next */
                    position: number;
                    /** @description What it waits for, such as `no_free_slot` */
                    reason: string;
                } | null;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When it was handed to the backend
                 */
                dispatched_at: string | null;
                /**
                 * Format: date-time
                 * @description When it became terminal
                 */
                completed_at: string | null;
                /**
                 * Format: date-time
                 * @description When the gateway polls next; null when terminal
                 */
                next_poll_at: string | null;
                /** @description Orders the events of one video */
                sequence: number;
                /** @description Of terminal events */
                timing?: {
                    /**
                     * Format: date-time
                     * @description When the gateway learned that the backend had accepted the job, or imported it; null: no job
                     */
                    accepted_at: string | null;
                    /**
                     * Format: date-time
                     * @description When the gateway learned of the end
                     */
                    detected_at: string;
                    /** @description The end lies within so many milliseconds before `detected_at`; null: it was over when it was imported */
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
                /** @description The backend that gets no more */
                new: string;
                /** @description Per cent of the new side until now */
                weight: number;
                /**
                 * Format: date-time
                 * @description Videos were counted that ended after it
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
             * @description Videos count that ended after it
             */
            since: string;
            /** Format: date-time */
            until: string;
            /** @description How many videos the outcomes are of */
            counted: {
                videos: number;
                /** @description Videos that are counted at most: the latest */
                limit: number;
                /** @description False: there were more since then */
                complete: boolean;
            };
            outcomes: {
                backends: {
                    /** @description All that ended */
                    videos: number;
                    completed: number;
                    failed: number;
                    canceled: number;
                    /** @description Of completed and failed ones; `low` to `high` is the 95 % interval (Wilson). Null: there are none */
                    success: {
                        rate: number;
                        low: number;
                        high: number;
                    } | null;
                    /** @description From the create to the end, of completed ones; null: there are none */
                    seconds: {
                        p50: number;
                        p95: number;
                    } | null;
                    /** @description Of videos whose backend told their price; `each` is null where there are none */
                    credits: {
                        total: number;
                        each: number | null;
                    };
                    /** @description The part of completed and failed ones that lost an option */
                    warned: number | null;
                    backend: string;
                }[];
                rules: {
                    /** @description All that ended */
                    videos: number;
                    completed: number;
                    failed: number;
                    canceled: number;
                    /** @description Of completed and failed ones; `low` to `high` is the 95 % interval (Wilson). Null: there are none */
                    success: {
                        rate: number;
                        low: number;
                        high: number;
                    } | null;
                    /** @description From the create to the end, of completed ones; null: there are none */
                    seconds: {
                        p50: number;
                        p95: number;
                    } | null;
                    /** @description Of videos whose backend told their price; `each` is null where there are none */
                    credits: {
                        total: number;
                        each: number | null;
                    };
                    /** @description The part of completed and failed ones that lost an option */
                    warned: number | null;
                    /** @description Null: no rule decided */
                    rule: string | null;
                    /** @description Where it stands in the configuration; null: no rule decided */
                    path: string | null;
                }[];
                splits: {
                    rule: string;
                    old: {
                        /** @description All that ended */
                        videos: number;
                        completed: number;
                        failed: number;
                        canceled: number;
                        /** @description Of completed and failed ones; `low` to `high` is the 95 % interval (Wilson). Null: there are none */
                        success: {
                            rate: number;
                            low: number;
                            high: number;
                        } | null;
                        /** @description From the create to the end, of completed ones; null: there are none */
                        seconds: {
                            p50: number;
                            p95: number;
                        } | null;
                        /** @description Of videos whose backend told their price; `each` is null where there are none */
                        credits: {
                            total: number;
                            each: number | null;
                        };
                        /** @description The part of completed and failed ones that lost an option */
                        warned: number | null;
                    };
                    new: {
                        /** @description All that ended */
                        videos: number;
                        completed: number;
                        failed: number;
                        canceled: number;
                        /** @description Of completed and failed ones; `low` to `high` is the 95 % interval (Wilson). Null: there are none */
                        success: {
                            rate: number;
                            low: number;
                            high: number;
                        } | null;
                        /** @description From the create to the end, of completed ones; null: there are none */
                        seconds: {
                            p50: number;
                            p95: number;
                        } | null;
                        /** @description Of videos whose backend told their price; `each` is null where there are none */
                        credits: {
                            total: number;
                            each: number | null;
                        };
                        /** @description The part of completed and failed ones that lost an option */
                        warned: number | null;
                    };
                }[];
            };
            splits: components["schemas"]["Split"][];
        };
        Split: {
            /** @constant */
            object: "split";
            /** @description Names its rule, as in `routing.rule` of a video */
            rule: string;
            /** @description Where the rule stands in the configuration */
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
            /** @description Who keeps a side: `client`, or `metadata.<key>` */
            by: string;
            /** @description A backend */
            old: string;
            /** @description A backend */
            new: string;
            /** @description Per cent of the new side in the configuration: where the ramp began */
            file_weight: number;
            /** @description Per cent of the new side where the ramp stands */
            ramp_weight: number;
            /** @description Per cent of the new side in force: as `ramp_weight`, or 0 while it is stopped */
            weight: number;
            /**
             * Format: date-time
             * @description When the weight was last set; null: never, so the file’s counts
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
            /** @description Its canary stopped itself: nothing goes to the new side until it is resumed */
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
            /** @description What the next step makes of it; null: it is all */
            next_weight: number | null;
            /** @description The next step would be taken, without `force` */
            ready: boolean;
            /** @description As they stand now; at 0 % none has to hold */
            gates: {
                /**
                 * @description As in `routing.gates` of the configuration
                 * @enum {string}
                 */
                name: "least_videos" | "failure_rate" | "p95" | "credits" | "warnings";
                held: boolean;
                /** @description As measured on the new side; null: nothing was there to measure */
                new: number | null;
                old: number | null;
                /** @description What the new side may have at most; of `least_videos`, at least */
                limit: number | null;
                why: string;
            }[];
            /**
             * Format: date-time
             * @description They measure what ended after it: the last step or resume; null: all that is kept
             */
            gates_since: string | null;
            /** @description What was done to it, newest first; the last 20 */
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
        /**
         * @description Every error (RFC 9457). `code` is for programs:
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
         *     | 403 | `not_owner` | Not the owner | no |
         *     | 404 | `not_found` | Not found | no |
         *     | 404 | `video_not_found` | Video not found | no |
         *     | 404 | `voice_not_found` | Voice not found | no |
         *     | 404 | `puppet_not_found` | Puppet not found | no |
         *     | 404 | `backend_not_found` | Backend not found | no |
         *     | 404 | `rule_not_found` | No such split | no |
         *     | 404 | `endpoint_not_found` | Webhook endpoint not found | no |
         *     | 404 | `event_not_found` | Event not found | no |
         *     | 404 | `delivery_not_found` | Delivery not found | no |
         *     | 405 | `method_not_allowed` | Method not allowed | no |
         *     | 406 | `not_acceptable` | Not acceptable | no |
         *     | 409 | `idempotency_key_conflict` | Idempotency-Key used with another request | no |
         *     | 409 | `idempotency_key_in_progress` | The first request with this key is still running | yes |
         *     | 409 | `video_not_cancelable` | Video cannot be canceled | no |
         *     | 409 | `video_not_completed` | Video not completed | yes |
         *     | 409 | `video_replaced` | Another video stands for this one | no |
         *     | 409 | `import_in_doubt` | A create in doubt may have made this job | yes |
         *     | 409 | `ramp_refused` | The split stays as it is | no |
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
            /** @description The same for every problem of this code */
            title: string;
            /** @description That of the answer */
            status: number;
            /** @description What happened, in words */
            detail: string;
            /**
             * @description For programs; the table is at the schema
             * @enum {string}
             */
            code: "invalid_request" | "invalid_json" | "invalid_cursor" | "invalid_image" | "upload_not_found" | "upload_not_finished" | "idempotency_key_invalid" | "unauthenticated" | "insufficient_credits" | "insufficient_scope" | "not_owner" | "not_found" | "video_not_found" | "voice_not_found" | "puppet_not_found" | "backend_not_found" | "rule_not_found" | "endpoint_not_found" | "event_not_found" | "delivery_not_found" | "method_not_allowed" | "not_acceptable" | "idempotency_key_conflict" | "idempotency_key_in_progress" | "video_not_cancelable" | "video_not_completed" | "video_replaced" | "import_in_doubt" | "ramp_refused" | "payload_too_large" | "file_too_large" | "unsupported_media_type" | "capability_not_supported" | "webhook_url_not_allowed" | "audio_url_not_allowed" | "audio_unreachable" | "rate_limited" | "concurrency_limit_reached" | "quota_exceeded" | "internal_error" | "backend_error" | "backend_credentials_rejected" | "backend_unavailable" | "upload_check_unavailable" | "queue_full" | "store_unavailable" | "shutting_down" | "backend_timeout";
            /** @description Whether the same request may succeed later */
            retryable: boolean;
            /** @description That of the header `Retry-After` */
            retry_after_seconds: number | null;
            /**
             * Format: date-time
             * @description Trying again earlier is pointless
             */
            retry_at: string | null;
            /** @description The first of `errors` */
            param: string | null;
            /** @description One entry for each fault */
            errors: {
                /** @description Dotted, such as `metadata.team` */
                path: string;
                message: string;
            }[];
            /** @description Opaque: more for some codes */
            details: {
                [key: string]: unknown;
            } | null;
            /** @description The backend that it is about */
            backend: string | null;
            backend_error: components["schemas"]["BackendError"] | null;
            /** @description The video that it is about */
            video_id: string | null;
            /** @description That of the header `X-Request-Id`: tell it to who runs the gateway */
            request_id: string;
        };
        /** @description What the backend said, for people who debug; the rest of the answer is normalized */
        BackendError: {
            /** @description Its HTTP status; null when it said nothing */
            status: number | null;
            /** @description Its own error code */
            code: string | null;
            /** @description Why its account is blocked, where it says so */
            block_code: string | null;
            /** @description Its own words */
            message: string | null;
        };
        /** @description Opaque here: it is described by the OpenAPI specification */
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
            /** @description Portrait, an https URL; or `puppet_id` */
            image_url?: string | null;
            /** @description Saved portrait; or `image_url` */
            puppet_id?: string | null;
            /** @description What is said; or `audio_url` or `upload_id` */
            text?: string | null;
            /** @description Alias of `text` */
            script?: string | null;
            /** @description Audio to speak, an https URL */
            audio_url?: string | null;
            /** @description Audio to speak, uploaded by createUpload */
            upload_id?: string | null;
            /** @description Only with text; default: the voice of the backend */
            voice_id?: string | null;
            language?: string | null;
            expressiveness?: number | null;
            /** @enum {string|null} */
            resolution?: "720p" | "1080p" | null;
            /** @description Pins a backend; else the ids used or the default decide */
            backend?: string | null;
            /**
             * @description What to do with an option that the backend has no equivalent for: 422 (default), or proceed and list it in `warnings`
             * @enum {string|null}
             */
            unsupported?: "reject" | "warn" | null;
            /** @description Is told of the events of this video, signed */
            webhook_url?: string | null;
            /** @description Default: the terminal ones */
            webhook_events?: ("video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled")[] | null;
            /** @description Up to 50 pairs, 8 KiB together; echoed in reads and events */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        ImportVideo: {
            /** @description The backend that made the job */
            backend: string;
            /** @description The backend's own id of it */
            backend_job_id: string;
            /** @description Is told of the events of this video, signed */
            webhook_url?: string | null;
            /** @description Up to 50 pairs, 8 KiB together; echoed in reads and events */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        CreatePuppet: {
            /** @description An https URL */
            image_url: string;
            name?: string | null;
            /** @description Pins a backend; else the ids used or the default decide */
            backend?: string | null;
        };
        CreateSpeech: {
            /** @description What is said */
            text: string;
            /** @description Also says which backend speaks */
            voice_id: string;
            /** @description 1 is as the voice speaks */
            speed?: number | null;
        };
        CreateUpload: {
            /** @enum {string} */
            content_type: "audio/wav" | "audio/x-wav" | "audio/mpeg" | "audio/mp3" | "audio/mp4" | "audio/m4a" | "audio/x-m4a";
            /** @description At most 52428800; more is 413 */
            size_bytes: number;
            /** @description Whether a video must be possible with it at once */
            require_video_readiness?: boolean | null;
        };
        ResolveVideo: {
            /** @description The job that the backend made of the create */
            job_id: string;
        } | {
            /**
             * @description There is no such job: a create in doubt is sent once more
             * @constant
             */
            absent: true;
            /** @description The attempt that this is about: `doubt.attempt` of the video as you read it */
            attempt: number;
        };
        CreateWebhookEndpoint: {
            /** @description Where events are sent, by https */
            url: string;
            /** @description What it is sent; default: completed, failed and canceled */
            events?: ("video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled")[];
            description?: string | null;
            /** @description Default: true */
            enabled?: boolean;
        };
        UpdateWebhookEndpoint: {
            /** @description Where events are sent, by https */
            url?: string;
            /** @description What it is sent; default: completed, failed and canceled */
            events?: ("video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled")[];
            description?: string | null;
            /** @description True releases what is held, ten a second */
            enabled?: boolean;
        };
        RotateSecret: {
            /** @description For so long events are also signed with the secrets of before; default: 86400 */
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
            /** @description Only those that were given up; default: all that it subscribes to */
            only_failed?: boolean;
        };
        StepSplit: {
            /** @description The rule of the split, `rule_…`; may be left out where there is one split only */
            rule?: string;
            /** @description Step although gates do not hold. A split that stopped is resumed first all the same */
            force?: boolean;
        };
        ChangeSplit: {
            /** @description The rule of the split, `rule_…`; may be left out where there is one split only */
            rule?: string;
        };
        PrimaryVoice: {
            /** @description What `voice_id` takes */
            id: string;
            /** @constant */
            object: "voice";
            name: string;
            provider: string;
            /** @description Display name */
            language: string;
            language_code: string;
            /** @description Capitalized */
            gender: string;
            /** @description Of a fixed, short sample */
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
        /** @description A primary backend may add fields of its own. */
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
            /** @description The `cursor` of the next page; null on the last */
            nextCursor: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A hosted WAV file. Opaque here: its fields are the backend’s own */
        PrimarySpeech: {
            [key: string]: unknown;
        };
        /** @description A signed URL to PUT the audio to, and one to read it from. Opaque here: its fields are the backend’s own */
        PrimaryUpload: {
            [key: string]: unknown;
        };
        /** @description Credits, and whether a video can be created now. Opaque here: its fields are the backend’s own; with an alternate backend behind, the gateway’s own counts, null where nothing is known */
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
        /** @description A primary backend may add fields of its own. */
        PrimaryVideoJob: {
            id: string;
            operation_id: string;
            request_id: string;
            status_url: string;
            content_location: string;
            /** @description `queued`, `processing`, `completed` or `failed`; of a failure that the backend told, its own word */
            status: string;
            /** @description While it is processed */
            progress?: number;
            /** @description Once it is completed */
            video_url?: string;
            /**
             * Format: date-time
             * @description As `X-Service-Next-Poll-At`
             */
            next_poll_at?: string;
            /** Format: date-time */
            nextPollAt?: string;
            /** @description Why it failed */
            error?: string;
            message?: string;
            retryable?: boolean;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Every error, each field in both spellings. Not every error has all of them. A primary backend's own codes are kept. `error` is:
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
            /** @description For programs */
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
             * @description HTTPS URL of the portrait
             */
            image_url?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            imageUrl?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            image?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            portrait?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            portrait_url?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            portraitUrl?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            avatar?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            avatarUrl?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            avatar_url?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            photo?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            photoUrl?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            photo_url?: string;
            /** @description What is said */
            text?: string;
            /** @description Alias of `text`: equal if both are given */
            script?: string;
            /** @description Alias of `text`: equal if both are given */
            prompt?: string;
            /** @description Id of a voice; else the service default voice */
            voice_id?: string;
            /** @description Alias of `voice_id`: equal if both are given */
            voiceId?: string;
            /** @description Alias of `voice_id`: equal if both are given */
            voice?: string;
            language?: string;
            /** @description Scale of the motion */
            expressiveness?: number;
            /** @description Instead of the header Idempotency-Key */
            idempotencyKey?: string;
            /** @description Alias of `idempotencyKey`: equal if both are given */
            idempotency_key?: string;
            /**
             * Format: uri
             * @description The gateway's own addition: where the signed events of this video go (Standard Webhooks)
             */
            webhook_url?: string;
        } & ((unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown) & (unknown | unknown | unknown));
        PrimaryAudioVideo: {
            /**
             * Format: uri
             * @description HTTPS URL of the portrait
             */
            image_url?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            imageUrl?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            image?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            portrait?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            portrait_url?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            portraitUrl?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            avatar?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            avatarUrl?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            avatar_url?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            photo?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            photoUrl?: string;
            /**
             * Format: uri
             * @description Alias of `image_url`: equal if both are given
             */
            photo_url?: string;
            /**
             * Format: uri
             * @description HTTPS URL of audio that was uploaded through createHostedAudioUploadUrl with the same key
             */
            audio_url?: string;
            /**
             * Format: uri
             * @description Alias of `audio_url`: equal if both are given
             */
            audioUrl?: string;
            /**
             * Format: uri
             * @description Alias of `audio_url`: equal if both are given
             */
            audio?: string;
            /** @description Scale of the motion */
            expressiveness?: number;
            /** @description Instead of the header Idempotency-Key */
            idempotencyKey?: string;
            /** @description Alias of `idempotencyKey`: equal if both are given */
            idempotency_key?: string;
            /**
             * Format: uri
             * @description The gateway's own addition: where the signed events of this video go (Standard Webhooks)
             */
            webhook_url?: string;
        } & ((unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown) & (unknown | unknown | unknown));
        PrimaryNewPuppet: {
            /**
             * Format: uri
             * @description A reachable public portrait image
             */
            imageUrl: string;
            /** @description Display name */
            name?: string;
        };
        PrimarySpeechText: {
            /** @description Id of a voice */
            voice_id: string;
            text: string;
            /** @description Multiplier */
            speed?: number;
        };
        PrimaryAudioUpload: {
            /** @enum {string} */
            mime_type?: "audio/wav" | "audio/x-wav" | "audio/mpeg" | "audio/mp3" | "audio/mp4" | "audio/m4a" | "audio/x-m4a";
            /**
             * @description Alias of `mime_type`: equal if both are given
             * @enum {string}
             */
            mimeType?: "audio/wav" | "audio/x-wav" | "audio/mpeg" | "audio/mp3" | "audio/mp4" | "audio/m4a" | "audio/x-m4a";
            /**
             * @description Alias of `mime_type`: equal if both are given
             * @enum {string}
             */
            contentType?: "audio/wav" | "audio/x-wav" | "audio/mpeg" | "audio/mp3" | "audio/mp4" | "audio/m4a" | "audio/x-m4a";
            /** @description Size in bytes */
            content_length?: number;
            /** @description Alias of `content_length`: equal if both are given */
            contentLength?: number;
            /** @description Alias of `content_length`: equal if both are given */
            sizeBytes?: number;
            /** @description Alias of `content_length`: equal if both are given */
            file_size?: number;
            /** @description Alias of `content_length`: equal if both are given */
            fileSize?: number;
            /** @description Instead of the header Idempotency-Key */
            idempotencyKey?: string;
            /** @description Alias of `idempotencyKey`: equal if both are given */
            idempotency_key?: string;
            /** @description Refuse with 402 or 429 if no video could be created now, before anything is reserved */
            require_video_readiness?: boolean;
            /** @description Alias of `require_video_readiness`: equal if both are given */
            requireVideoReadiness?: boolean;
            /** @description Alias of `require_video_readiness`: equal if both are given */
            video_readiness_required?: boolean;
            /** @description Alias of `require_video_readiness`: equal if both are given */
            videoReadinessRequired?: boolean;
        } & ((unknown | unknown | unknown) & (unknown | unknown | unknown | unknown | unknown));
        /** @description An alternate backend may add fields of its own. */
        AlternateCreatedVideo: {
            id: string;
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            /** @description Null for a video that was made from an image URL on another surface */
            puppet_id: string | null;
            /** Format: date-time */
            created_at: string;
            voice_id: string | null;
            /** @enum {string|null} */
            resolution: "720p" | "1080p" | null;
            /** @description From the words, where the backend estimates nothing */
            duration_estimate_sec: number | null;
        } & {
            [key: string]: unknown;
        };
        AlternateVideoItem: {
            id: string;
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            /** @description Null for a video that was made from an image URL on another surface */
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
                /** @description Of your own videos */
                total: number;
                total_pages: number;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description An alternate backend may add fields of its own. */
        AlternateVideo: {
            id: string;
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            /** @description Null for a video that was made from an image URL on another surface */
            puppet_id: string | null;
            /** Format: date-time */
            created_at: string;
            voice_id: string | null;
            /** @enum {string|null} */
            resolution: "720p" | "1080p" | null;
            duration_sec: number | null;
            /** @description Signed */
            download_url: string | null;
            thumbnail_url: string | null;
            /**
             * Format: date-time
             * @description After completion
             */
            completed_at?: string | null;
            /** @description Why it failed. Opaque here: a backend has its own fields */
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
             * @description As the backend told it; else a time until which the gateway itself would use the link
             */
            expires_at: string;
        } & {
            [key: string]: unknown;
        };
        AlternateVoice: {
            /** @description What `voice_id` takes */
            id: string;
            name: string | null;
            gender: string | null;
            /** @description Locale */
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
            /** @description What `puppet_id` takes */
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
        /** @description With an alternate backend behind: that one's own callback, its id of the video replaced by yours. Otherwise an event `{type, timestamp, data}`, whose `data` is the video as it is read. Opaque here */
        AlternateCallback: {
            [key: string]: unknown;
        };
        /**
         * @description Every error. An alternate backend's own codes are kept. `code` is:
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
                /** @description For programs */
                code: string;
                message: string;
            } & {
                [key: string]: unknown;
            };
        };
        AlternateNewVideo: {
            /** @description What is said */
            script: string;
            puppet_id: string;
            /** @description Else the puppet's default voice */
            voice_id?: string;
            /**
             * @default 1080p
             * @enum {string}
             */
            resolution: "720p" | "1080p";
            /**
             * Format: uri
             * @description Receives a POST when the video is ready
             */
            webhook_url?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The request's own id if it is sane, else a new one. */
        "X-Request-Id": string;
        /** @description Seconds after which asking again makes sense. */
        "Retry-After": number;
        /** @description Seconds after which asking again makes sense. */
        "Retry-After-optional": number;
        /** @description Path of what was made. */
        Location: string;
        /** @description For `If-None-Match`. */
        ETag: string;
        /** @description The `Prefer: wait=N` that was honoured. */
        "Preference-Applied-optional": string;
        /** @description This key was used before: here is what it made, as it is now. */
        "Idempotency-Replayed-optional": "true";
        /** @description `stale`: refreshed behind this answer. */
        "X-Cache": "hit" | "miss" | "stale";
        /** @description `stale`: refreshed behind this answer. */
        "X-Cache-optional": "hit" | "miss" | "stale";
        /** @description The list lacks something: whose items, and why. `incomplete; backend=NAME; reason=CODE`, by commas. */
        "Talkbridge-Warning-optional": string;
        /** @description The scheme that is wanted. */
        "WWW-Authenticate": "Bearer";
        /** @description Requests left (`r`), and in how many seconds there are more (`t`): IETF draft, a structured field. */
        RateLimit: string;
        /** @description Requests left (`r`), and in how many seconds there are more (`t`): IETF draft, a structured field. */
        "RateLimit-optional": string;
        /** @description Requests (`q`) within a window of seconds (`w`), which slides: IETF draft, a structured field. */
        "RateLimit-Policy": string;
        /** @description Requests (`q`) within a window of seconds (`w`), which slides: IETF draft, a structured field. */
        "RateLimit-Policy-optional": string;
        /** @description Requests a minute. */
        "X-RateLimit-Limit": number;
        /** @description Requests a minute. */
        "X-RateLimit-Limit-optional": number;
        /** @description Requests left of them. */
        "X-RateLimit-Remaining": number;
        /** @description Requests left of them. */
        "X-RateLimit-Remaining-optional": number;
        /** @description Unix seconds at which there are more. */
        "X-RateLimit-Reset": number;
        /** @description Unix seconds at which there are more. */
        "X-RateLimit-Reset-optional": number;
        /** @description Of the gateway: the request's own id if it is sane, else a new one. */
        "Primary-X-Request-Id": string;
        /** @description Of the gateway: what could not be carried over, such as `option_ignored; param=language, unknown_field; param=mood`. */
        "Primary-Talkbridge-Warning-optional": string;
        /** @description Requests a minute. */
        "Primary-X-RateLimit-Limit": number;
        /** @description Requests a minute. */
        "Primary-X-RateLimit-Limit-optional": number;
        /** @description Requests left of them. */
        "Primary-X-RateLimit-Remaining": number;
        /** @description Requests left of them. */
        "Primary-X-RateLimit-Remaining-optional": number;
        /** @description Unix seconds at which the window resets. */
        "Primary-X-RateLimit-Reset": number;
        /** @description Unix seconds at which the window resets. */
        "Primary-X-RateLimit-Reset-optional": number;
        /** @description The scheme that is wanted. */
        "Primary-WWW-Authenticate-optional": string;
        /** @description Seconds to wait before trying or polling again. */
        "Primary-Retry-After": number;
        /** @description Seconds to wait before trying or polling again. */
        "Primary-Retry-After-optional": number;
        /** @description The same as a time; mirrors `next_poll_at` of the body. */
        "Primary-X-Service-Next-Poll-At": string;
        /** @description The same as a time; mirrors `next_poll_at` of the body. */
        "Primary-X-Service-Next-Poll-At-optional": string;
        /** @description Absolute URL of the status of the job. */
        "Primary-Location": string;
        /** @description Absolute URL of the status of the job. */
        "Primary-Location-optional": string;
        /** @description Absolute URL of the status of the job. */
        "Primary-Content-Location": string;
        /** @description Absolute URL of the status of the job. */
        "Primary-Content-Location-optional": string;
        /** @description Public id of the job. */
        "Primary-Service-Operation-Id": string;
        /** @description Public id of the job. */
        "Primary-Service-Operation-Id-optional": string;
        /** @description Public id of the job. */
        "Primary-X-Service-Operation-Id": string;
        /** @description Public id of the job. */
        "Primary-X-Service-Operation-Id-optional": string;
        /** @description Public id of the job. */
        "Primary-Service-Request-Id": string;
        /** @description Public id of the job. */
        "Primary-Service-Request-Id-optional": string;
        /** @description Public id of the job. */
        "Primary-X-Service-Request-Id": string;
        /** @description Public id of the job. */
        "Primary-X-Service-Request-Id-optional": string;
        /** @description Credits that the create was charged. */
        "Primary-X-Service-Credits-Required-optional": number;
        /** @description Credits left after it. */
        "Primary-X-Service-Credits-Remaining-optional": number;
        /** @description Of the gateway: the request's own id if it is sane, else a new one. */
        "Alternate-X-Request-Id": string;
        /** @description Of the gateway: what could not be carried over, such as `option_ignored; param=language, unknown_field; param=mood`. */
        "Alternate-Talkbridge-Warning-optional": string;
        /** @description Requests a minute. */
        "Alternate-X-RateLimit-Limit": number;
        /** @description Requests a minute. */
        "Alternate-X-RateLimit-Limit-optional": number;
        /** @description Requests left of them. */
        "Alternate-X-RateLimit-Remaining": number;
        /** @description Requests left of them. */
        "Alternate-X-RateLimit-Remaining-optional": number;
        /** @description Unix seconds at which the window resets. */
        "Alternate-X-RateLimit-Reset": number;
        /** @description Unix seconds at which the window resets. */
        "Alternate-X-RateLimit-Reset-optional": number;
        /** @description The scheme that is wanted. */
        "Alternate-WWW-Authenticate-optional": string;
        /** @description Seconds to wait before trying again. */
        "Alternate-Retry-After-optional": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listVideos: {
        parameters: {
            query?: {
                /** @description How many a page; never clamped */
                limit?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
                /** @description Only videos of this status */
                status?: "queued" | "processing" | "completed" | "failed" | "canceled";
                /** @description Only videos of this backend */
                backend?: string;
                /** @description Only videos created after this time */
                created_after?: string;
                /** @description Only videos created before this time */
                created_before?: string;
                /** @description Instead what the backend itself knows: with `backend`, and the scope `backends:read_all` */
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
            /** @description `invalid_request`: Invalid request. `invalid_cursor`: Invalid cursor */
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
                        code: "invalid_request" | "invalid_cursor";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_found`: Not found */
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
                        code: "not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
                        code: "capability_not_supported";
                    };
                };
            };
            /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
            429: {
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
            500: {
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
            502: {
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
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable */
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
                        code: "store_unavailable" | "backend_unavailable";
                    };
                };
            };
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
        };
    };
    createVideo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The same key and body make one thing, however often they are sent; another body is 409.
                 * @example 5f0c6a52-order-1001
                 */
                "Idempotency-Key"?: string;
                /**
                 * @description `wait=N`: holds the answer until the video is terminal, N seconds (1 to 60) at most.
                 * @example wait=30
                 */
                Prefer?: string;
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
            /** @description It is terminal already: it was waited for, or the key replays a finished one. */
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
            /** @description It is being made. Also where the outcome at the backend is not known yet. */
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
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
                        code: "insufficient_scope";
                    };
                };
            };
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
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
                        code: "idempotency_key_conflict" | "idempotency_key_in_progress";
                    };
                };
            };
            /** @description `payload_too_large`: Body too large. `file_too_large`: File too large */
            413: {
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
            415: {
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
            /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
            429: {
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
            500: {
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
            502: {
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
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
            /** @description What each backend would make of it. */
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
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
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
            /** @description `webhook_url_not_allowed`: Webhook URL not allowed */
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
                        code: "webhook_url_not_allowed";
                    };
                };
            };
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
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
            /** @description It was known. */
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
            /** @description It is adopted. */
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
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON */
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
                        code: "invalid_request" | "invalid_json";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_found`: Not found. `video_not_found`: Video not found */
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
                        code: "not_found" | "video_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
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
            /** @description `webhook_url_not_allowed`: Webhook URL not allowed */
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
                        code: "webhook_url_not_allowed";
                    };
                };
            };
            /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
            429: {
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
            500: {
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
            502: {
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
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable */
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
                        code: "store_unavailable" | "backend_unavailable";
                    };
                };
            };
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
        };
    };
    getVideo: {
        parameters: {
            query?: {
                /** @description Adds `timeline`: what happened to the video, step by step */
                expand?: "timeline";
            };
            header?: {
                /**
                 * @description `wait=N`: holds the answer until the video is terminal, N seconds (1 to 60) at most.
                 * @example wait=30
                 */
                Prefer?: string;
                /**
                 * @description The `ETag` of an answer: 304 while nothing changed.
                 * @example "q2h0xGkLrJmZ8w4Tz1VbN5sYc7d"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: string;
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
            /** @description As it was. */
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `video_not_found`: Video not found */
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
                        code: "video_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    streamVideoEvents: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The last `id:` that was read: resumes after it.
                 * @example q2h0xGkLrJmZ8w4Tz1VbN5sYc7dx
                 */
                "Last-Event-ID"?: string;
            };
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the video is terminal. */
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
            /** @description You have its end: there is nothing to come back for. */
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `video_not_found`: Video not found */
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
                        code: "video_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    cancelVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is canceled. */
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `video_not_found`: Video not found */
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
                        code: "video_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `video_not_cancelable`: Video cannot be canceled */
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
                        code: "video_not_cancelable";
                    };
                };
            };
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    getVideoDownload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: string;
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_found`: Not found. `video_not_found`: Video not found */
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
                        code: "not_found" | "video_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `video_not_completed`: Video not completed */
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
                        code: "video_not_completed";
                    };
                };
            };
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
            429: {
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
            500: {
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
            502: {
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
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable */
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
                        code: "store_unavailable" | "backend_unavailable";
                    };
                };
            };
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
        };
    };
    getVideoContent: {
        parameters: {
            query?: {
                /** @description Stands in for the key: part of every `content_url` */
                sig?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the link that works now. */
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_found`: Not found. `video_not_found`: Video not found */
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
                        code: "not_found" | "video_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `video_not_completed`: Video not completed */
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
                        code: "video_not_completed";
                    };
                };
            };
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
            429: {
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
            500: {
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
            502: {
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
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable */
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
                        code: "store_unavailable" | "backend_unavailable";
                    };
                };
            };
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
            /** @description Anything else is a problem. */
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
                /** @description How many a page; never clamped */
                limit?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
                /** @description Only those of this backend */
                backend?: string;
                /** @description BCP 47, by prefix: `en` finds `en-GB` */
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
            /** @description `invalid_request`: Invalid request. `invalid_cursor`: Invalid cursor */
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
                        code: "invalid_request" | "invalid_cursor";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_found`: Not found */
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
                        code: "not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
            429: {
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
            500: {
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
            502: {
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
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable */
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
                        code: "store_unavailable" | "backend_unavailable";
                    };
                };
            };
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
        };
    };
    listPuppets: {
        parameters: {
            query?: {
                /** @description How many a page; never clamped */
                limit?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
                /** @description Only those of this backend */
                backend?: string;
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
            /** @description `invalid_request`: Invalid request. `invalid_cursor`: Invalid cursor */
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
                        code: "invalid_request" | "invalid_cursor";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_found`: Not found */
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
                        code: "not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
            429: {
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
            500: {
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
            502: {
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
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable */
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
                        code: "store_unavailable" | "backend_unavailable";
                    };
                };
            };
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
        };
    };
    createPuppet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The same key and body make one thing, however often they are sent; another body is 409.
                 * @example 5f0c6a52-order-1001
                 */
                "Idempotency-Key"?: string;
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
            /** @description The key was used before: this is what it made. */
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
            /** @description It is saved. */
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
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_found`: Not found. `puppet_not_found`: Puppet not found */
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
                        code: "not_found" | "puppet_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
                        code: "idempotency_key_conflict" | "idempotency_key_in_progress";
                    };
                };
            };
            /** @description `payload_too_large`: Body too large. `file_too_large`: File too large */
            413: {
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
            415: {
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
            /** @description `capability_not_supported`: The backend cannot do this */
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
                        code: "capability_not_supported";
                    };
                };
            };
            /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
            429: {
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
            500: {
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
            502: {
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
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable */
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
                        code: "store_unavailable" | "backend_unavailable";
                    };
                };
            };
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
        };
    };
    getPuppet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example main:puppet_ada
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As the catalogue knows it. */
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_found`: Not found. `puppet_not_found`: Puppet not found */
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
                        code: "not_found" | "puppet_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
            429: {
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
            500: {
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
            502: {
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
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable */
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
                        code: "store_unavailable" | "backend_unavailable";
                    };
                };
            };
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
        };
    };
    deletePuppet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example main:puppet_ada
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
            /** @description `insufficient_scope`: The key lacks the scope. `not_owner`: Not the owner */
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
            /** @description `not_found`: Not found. `puppet_not_found`: Puppet not found */
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
                        code: "not_found" | "puppet_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
                        code: "capability_not_supported";
                    };
                };
            };
            /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
            429: {
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
            500: {
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
            502: {
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
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable */
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
                        code: "store_unavailable" | "backend_unavailable";
                    };
                };
            };
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
            /** @description Where to hear it. */
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
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON */
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
                        code: "invalid_request" | "invalid_json";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
                        code: "insufficient_scope";
                    };
                };
            };
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
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
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
            /** @description `capability_not_supported`: The backend cannot do this */
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
                        code: "capability_not_supported";
                    };
                };
            };
            /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
            429: {
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
            500: {
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
            502: {
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
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable */
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
                        code: "store_unavailable" | "backend_unavailable";
                    };
                };
            };
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The same key and body make one thing, however often they are sent; another body is 409.
                 * @example 5f0c6a52-order-1001
                 */
                "Idempotency-Key"?: string;
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
            /** @description The same upload, freshly signed. */
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
            /** @description A place for it. */
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
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_found`: Not found */
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
                        code: "not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
                        code: "idempotency_key_conflict" | "idempotency_key_in_progress";
                    };
                };
            };
            /** @description `payload_too_large`: Body too large. `file_too_large`: File too large */
            413: {
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
            415: {
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
            /** @description `capability_not_supported`: The backend cannot do this */
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
                        code: "capability_not_supported";
                    };
                };
            };
            /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
            429: {
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
            500: {
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
            502: {
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
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
            /** @description All of them. */
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    getDrift: {
        parameters: {
            query?: {
                /** @description How many a page; never clamped */
                limit?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Name of a configured backend.
                 * @example main
                 */
                name: string;
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
            /** @description `invalid_request`: Invalid request. `invalid_cursor`: Invalid cursor */
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
                        code: "invalid_request" | "invalid_cursor";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `backend_not_found`: Backend not found */
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
                        code: "backend_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
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
            /** @description As of now. */
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
                     *         "requests": 1204
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_found`: Not found */
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
                        code: "not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `rate_limited`: Rate limited. `concurrency_limit_reached`: Too many waiting videos. `quota_exceeded`: Quota exceeded */
            429: {
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
            500: {
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
            502: {
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
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable */
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
                        code: "store_unavailable" | "backend_unavailable";
                    };
                };
            };
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description How many a page; never clamped */
                limit?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
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
            /** @description `invalid_request`: Invalid request. `invalid_cursor`: Invalid cursor */
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
                        code: "invalid_request" | "invalid_cursor";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
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
            /** @description It is sent events from now on. */
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
                     *       "created_at": "2026-11-20T11:00:00.000Z",
                     *       "updated_at": "2026-11-20T11:00:00.000Z",
                     *       "secret": "whsec_ZXhhbXBsZS1zZWNyZXQtb2YtMzItYnl0ZXMhISEhISE="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON */
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
                        code: "invalid_request" | "invalid_json";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
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
            /** @description `webhook_url_not_allowed`: Webhook URL not allowed */
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
                        code: "webhook_url_not_allowed";
                    };
                };
            };
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
                 */
                id: string;
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
                     *       "created_at": "2026-11-20T11:00:00.000Z",
                     *       "updated_at": "2026-11-20T11:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `endpoint_not_found`: Webhook endpoint not found */
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
                        code: "endpoint_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `endpoint_not_found`: Webhook endpoint not found */
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
                        code: "endpoint_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
                 */
                id: string;
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
                     *       "created_at": "2026-11-20T11:00:00.000Z",
                     *       "updated_at": "2026-11-20T11:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON */
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
                        code: "invalid_request" | "invalid_json";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `endpoint_not_found`: Webhook endpoint not found */
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
                        code: "endpoint_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
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
            /** @description `webhook_url_not_allowed`: Webhook URL not allowed */
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
                        code: "webhook_url_not_allowed";
                    };
                };
            };
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    rotateWebhookEndpointSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateSecret"];
            };
        };
        responses: {
            /** @description With the new secret. */
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
                     *       "created_at": "2026-11-20T11:00:00.000Z",
                     *       "updated_at": "2026-11-20T11:00:00.000Z",
                     *       "secret": "whsec_ZXhhbXBsZS1zZWNyZXQtb2YtMzItYnl0ZXMhISEhISE="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON */
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
                        code: "invalid_request" | "invalid_json";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `endpoint_not_found`: Webhook endpoint not found */
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
                        code: "endpoint_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it went. */
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
                     *       "duration_ms": 38
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `endpoint_not_found`: Webhook endpoint not found */
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
                        code: "endpoint_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable. `shutting_down`: Shutting down */
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
                        code: "store_unavailable" | "shutting_down";
                    };
                };
            };
        };
    };
    replayWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example we_01M7WA9S7VF4P8S27TV0W2QQJA
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayEvents"];
            };
        };
        responses: {
            /** @description They will be sent. */
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
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON */
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
                        code: "invalid_request" | "invalid_json";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `endpoint_not_found`: Webhook endpoint not found */
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
                        code: "endpoint_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
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
            /** @description The newest one. */
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
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
            /** @description The new one. */
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
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON */
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
                        code: "invalid_request" | "invalid_json";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description Only events of these types, with commas between them */
                types?: string;
            };
            header?: {
                /**
                 * @description The last `id:` that was read: resumes after it.
                 * @example q2h0xGkLrJmZ8w4Tz1VbN5sYc7dx
                 */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until you hang up. */
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
            /** @description `invalid_request`: Invalid request. `invalid_cursor`: Invalid cursor */
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
                        code: "invalid_request" | "invalid_cursor";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description How many a page; never clamped */
                limit?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
                /** @description Only events of this type */
                type?: "video.queued" | "video.processing" | "video.progress" | "video.completed" | "video.failed" | "video.canceled" | "endpoint.disabled" | "routing.stopped";
                /** @description Only events of this video */
                video?: string;
                /** @description Only events from this time on */
                since?: string;
                /** @description Only events before this time */
                until?: string;
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
                     *           "id": "evt_6f2c1d0b9a8e7f6a5b4c3d2e1f",
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
            /** @description `invalid_request`: Invalid request. `invalid_cursor`: Invalid cursor */
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
                        code: "invalid_request" | "invalid_cursor";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was sent. */
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
                     *       "id": "evt_6f2c1d0b9a8e7f6a5b4c3d2e1f",
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `event_not_found`: Event not found */
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
                        code: "event_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    redeliverEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will be sent. */
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
                     *       "object": "redelivery",
                     *       "event_id": "evt_6f2c1d0b9a8e7f6a5b4c3d2e1f",
                     *       "deliveries": [
                     *         "dlv_0a1b2c3d4e5f60718293a4b5c6"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Redelivery"];
                };
            };
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `event_not_found`: Event not found */
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
                        code: "event_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description How many a page; never clamped */
                limit?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
                /** @description Only those to this endpoint */
                endpoint?: string;
                /** @description Only those about this video */
                video?: string;
                /** @description Only those of this event */
                event?: string;
                /** @description Only those of this status */
                status?: "pending" | "delivered" | "failed" | "held";
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
                     *           "id": "dlv_0a1b2c3d4e5f60718293a4b5c6",
                     *           "object": "delivery",
                     *           "event_id": "evt_6f2c1d0b9a8e7f6a5b4c3d2e1f",
                     *           "event_type": "video.completed",
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
            /** @description `invalid_request`: Invalid request. `invalid_cursor`: Invalid cursor */
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
                        code: "invalid_request" | "invalid_cursor";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example dlv_0a1b2c3d4e5f60718293a4b5c6
                 */
                id: string;
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
                     *       "id": "dlv_0a1b2c3d4e5f60718293a4b5c6",
                     *       "object": "delivery",
                     *       "event_id": "evt_6f2c1d0b9a8e7f6a5b4c3d2e1f",
                     *       "event_type": "video.completed",
                     *       "video_id": "vid_01M7WA9S7VF4P8S27TV0W2QQJ9",
                     *       "target": {
                     *         "kind": "endpoint",
                     *         "endpoint_id": "we_01M7WA9S7VF4P8S27TV0W2QQJA",
                     *         "url": "https://app.example/hooks/talkbridge"
                     *       },
                     *       "status": "delivered",
                     *       "attempt_count": 1,
                     *       "next_attempt_at": null,
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `delivery_not_found`: Delivery not found */
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
                        code: "delivery_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    getAdminVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: string;
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
                     *       "doubt": {
                     *         "open": true,
                     *         "attempt": 1,
                     *         "since": "2026-11-20T12:00:30.120Z",
                     *         "candidates": [
                     *           "clip_7Hq2"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AdminVideo"];
                };
            };
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `video_not_found`: Video not found */
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
                        code: "video_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    resolveVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveVideo"];
            };
        };
        responses: {
            /** @description The video that has the job, or waits for one; the failed one where there was none. */
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
                     *       "doubt": null
                     *     }
                     */
                    "application/json": components["schemas"]["AdminVideo"];
                };
            };
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON */
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
                        code: "invalid_request" | "invalid_json";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            402: {
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_found`: Not found. `video_not_found`: Video not found */
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
                        code: "not_found" | "video_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `video_replaced`: Another video stands for this one */
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
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
            429: {
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
            500: {
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
            502: {
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
            /** @description `store_unavailable`: Store unavailable. `backend_unavailable`: Backend unavailable */
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
                        code: "store_unavailable" | "backend_unavailable";
                    };
                };
            };
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
        };
    };
    getMigration: {
        parameters: {
            query?: {
                /** @description Count videos that ended after this time: a duration back from now (`90m`, `24h`, `30d`), or ISO 8601 */
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As of now. */
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
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
            /** @description As it now stands. */
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
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON */
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
                        code: "invalid_request" | "invalid_json";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `rule_not_found`: No such split */
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
                        code: "rule_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `ramp_refused`: The split stays as it is */
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
                        code: "ramp_refused";
                    };
                };
            };
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
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
            /** @description As it now stands. */
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
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON */
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
                        code: "invalid_request" | "invalid_json";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `rule_not_found`: No such split */
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
                        code: "rule_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
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
            /** @description As it now stands. */
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
            /** @description `invalid_request`: Invalid request. `invalid_json`: Body is not valid JSON */
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
                        code: "invalid_request" | "invalid_json";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `rule_not_found`: No such split */
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
                        code: "rule_not_found";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `ramp_refused`: The split stays as it is */
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
                        code: "ramp_refused";
                    };
                };
            };
            /** @description `payload_too_large`: Body too large */
            413: {
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
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable */
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
                        code: "store_unavailable";
                    };
                };
            };
        };
    };
    getMigrationReport: {
        parameters: {
            query: {
                /** @description The backend whose recorded requests are judged */
                from: string;
                /** @description The backend that they are judged for */
                to: string;
                /** @description Only videos created since this time: a duration back from now (`90m`, `24h`, `30d`), or ISO 8601 */
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
                     *           "example": "alt has no such voice, and no alias leads to one"
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
            /** @description `invalid_request`: Invalid request */
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
                        code: "invalid_request";
                    };
                };
            };
            /** @description `unauthenticated`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
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
                        code: "insufficient_scope";
                    };
                };
            };
            /** @description `not_acceptable`: Not acceptable */
            406: {
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
            /** @description `rate_limited`: Rate limited */
            429: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `store_unavailable`: Store unavailable. `shutting_down`: Shutting down */
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
                        code: "store_unavailable" | "shutting_down";
                    };
                };
            };
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
            /** @description The process answers. */
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
            /** @description `invalid_request`: Invalid request */
            400: {
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
            500: {
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
            /** @description It can. */
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
            /** @description `invalid_request`: Invalid request */
            400: {
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
            500: {
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
    getOpenApi: {
        parameters: {
            query?: {
                /** @description Only this surface, as a document of its own */
                surface?: "unified" | "primary" | "alternate";
            };
            header?: {
                /**
                 * @description The `ETag` of an answer: 304 while nothing changed.
                 * @example "q2h0xGkLrJmZ8w4Tz1VbN5sYc7d"
                 */
                "If-None-Match"?: string;
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
            /** @description As it was. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: Invalid request */
            400: {
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
            500: {
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
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer: 304 while nothing changed.
                 * @example "q2h0xGkLrJmZ8w4Tz1VbN5sYc7d"
                 */
                "If-None-Match"?: string;
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
            /** @description As it was. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: Invalid request */
            400: {
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
            500: {
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
        };
    };
    createVideoFromText: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The same key and body make one thing, however often they are sent; another body is 409.
                 * @example 5f0c6a52-order-1001
                 */
                "Idempotency-Key"?: string;
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
            /** @description A job that has ended, from a replay of its Idempotency-Key: nothing is charged. */
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
            /** @description It is queued; or a replay of one that has not ended. */
            202: {
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            402: {
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
            403: {
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
            /** @description `payload_too_large`: Body too large */
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
            /** @description `rate_limited`: Rate limited. `monthly_quota_exceeded`: Quota exceeded. `concurrent_job_limit_reached`: Too many waiting videos */
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable, Queue full */
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
        };
    };
    createVideoFromAudio: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The same key and body make one thing, however often they are sent; another body is 409.
                 * @example 5f0c6a52-order-1001
                 */
                "Idempotency-Key"?: string;
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
            /** @description A job that has ended, from a replay of its Idempotency-Key: nothing is charged. */
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
            /** @description It is queued; or a replay of one that has not ended. */
            202: {
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            402: {
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
            403: {
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
            /** @description `payload_too_large`: Body too large */
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
            /** @description `rate_limited`: Rate limited. `monthly_quota_exceeded`: Quota exceeded. `concurrent_job_limit_reached`: Too many waiting videos */
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable, Queue full */
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
        };
    };
    getVideoJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
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
            /** @description `invalid_request`: Invalid request */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
            403: {
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description Of the contract: never said here. */
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
                /** @description How many a page; never clamped */
                limit?: number;
                /** @description `nextCursor` of the page before */
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
            /** @description `invalid_request`: Invalid request */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
            403: {
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
            /** @description `rate_limited`: Rate limited. `monthly_quota_exceeded`: Quota exceeded */
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
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
        };
    };
    primaryCreatePuppet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The same key and body make one thing, however often they are sent; another body is 409.
                 * @example 5f0c6a52-order-1001
                 */
                "Idempotency-Key"?: string;
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
            /** @description From a replay of its Idempotency-Key: nothing new is saved. */
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
            /** @description It is saved. */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
            403: {
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
            /** @description `rate_limited`: Rate limited. `monthly_quota_exceeded`: Quota exceeded */
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
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
        };
    };
    primaryGetPuppet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example puppet_ada
                 */
                puppetId: string;
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
            /** @description `invalid_request`: Invalid request */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
            403: {
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
            /** @description `puppet_not_found`: Puppet not found */
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
            /** @description `rate_limited`: Rate limited. `monthly_quota_exceeded`: Quota exceeded */
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
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
        };
    };
    primaryDeletePuppet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example puppet_ada
                 */
                puppetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
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
            /** @description `invalid_request`: Invalid request */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
            403: {
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
            /** @description `puppet_not_found`: Puppet not found */
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
            /** @description `rate_limited`: Rate limited. `monthly_quota_exceeded`: Quota exceeded */
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
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
            /** @description `invalid_request`: Invalid request */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
            403: {
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
            /** @description `rate_limited`: Rate limited. `monthly_quota_exceeded`: Quota exceeded */
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
            403: {
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
            /** @description `rate_limited`: Rate limited. `monthly_quota_exceeded`: Quota exceeded */
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
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
        };
    };
    createHostedAudioUploadUrl: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The same key and body make one thing, however often they are sent; another body is 409.
                 * @example 5f0c6a52-order-1001
                 */
                "Idempotency-Key"?: string;
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            402: {
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
            403: {
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
            /** @description `rate_limited`: Rate limited. `monthly_quota_exceeded`: Quota exceeded. `concurrent_job_limit_reached`: Too many waiting videos */
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
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
            /** @description `invalid_request`: Invalid request */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            /** @description `insufficient_scope`: The key lacks the scope */
            403: {
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
            /** @description `rate_limited`: Rate limited. `monthly_quota_exceeded`: Quota exceeded */
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
            /** @description `internal_error`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
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
        };
    };
    alternateListVideos: {
        parameters: {
            query?: {
                /** @description Beyond the last: an empty page */
                page?: number;
                /** @description How many a page; never clamped */
                limit?: number;
                /** @description A video that waits in the gateway is `processing`, a canceled one `failed` */
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
            /** @description `invalid_request`: Invalid request */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            403: {
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
            /** @description `rate_limited`: Rate limited */
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
            /** @description `internal`: Internal error */
            500: {
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
            /** @description It is being made. */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            /** @description `forbidden`: The key lacks the scope */
            403: {
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
            /** @description `internal`: Internal error */
            500: {
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
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
    alternateGetVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: string;
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
            /** @description `invalid_request`: Invalid request */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            403: {
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
            /** @description `video_not_found`: Video not found */
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
            /** @description `rate_limited`: Rate limited */
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
            /** @description `internal`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
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
    alternateGetVideoDownload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its id, as it was answered.
                 * @example vid_01M7WA9S7VF4P8S27TV0W2QQJ9
                 */
                id: string;
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
            /** @description `invalid_request`: Invalid request */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            403: {
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
            /** @description `video_not_found`: Video not found */
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
            /** @description `rate_limited`: Rate limited. `quota_exceeded`: Quota exceeded */
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
            /** @description `internal`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
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
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
            /** @description `invalid_request`: Invalid request */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            403: {
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
            /** @description `rate_limited`: Rate limited. `quota_exceeded`: Quota exceeded */
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
            /** @description `internal`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
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
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
            /** @description `invalid_request`: Invalid request */
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
            /** @description `unauthorized`: Missing or unknown key */
            401: {
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
            403: {
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
            /** @description `rate_limited`: Rate limited. `quota_exceeded`: Quota exceeded */
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
            /** @description `internal`: Internal error */
            500: {
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
            /** @description `temporarily_unavailable`: Store unavailable, Backend unavailable */
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
            /** @description `backend_timeout`: Backend timeout */
            504: {
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
    "on.video.queued": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event: the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description Unix seconds of the attempt.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64 HMAC-SHA256 of id.timestamp.body>`, separated by spaces: one for each live secret.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
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
            /** @description Received. Any other 2xx says the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody is there any more. It is not tried again, and the endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many. It is tried again in a minute at the earliest, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is tried again, later and later. Redirects are not followed. */
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
                 * @description Id of the event: the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description Unix seconds of the attempt.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64 HMAC-SHA256 of id.timestamp.body>`, separated by spaces: one for each live secret.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
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
            /** @description Received. Any other 2xx says the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody is there any more. It is not tried again, and the endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many. It is tried again in a minute at the earliest, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is tried again, later and later. Redirects are not followed. */
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
                 * @description Id of the event: the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description Unix seconds of the attempt.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64 HMAC-SHA256 of id.timestamp.body>`, separated by spaces: one for each live secret.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
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
            /** @description Received. Any other 2xx says the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody is there any more. It is not tried again, and the endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many. It is tried again in a minute at the earliest, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is tried again, later and later. Redirects are not followed. */
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
                 * @description Id of the event: the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description Unix seconds of the attempt.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64 HMAC-SHA256 of id.timestamp.body>`, separated by spaces: one for each live secret.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
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
            /** @description Received. Any other 2xx says the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody is there any more. It is not tried again, and the endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many. It is tried again in a minute at the earliest, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is tried again, later and later. Redirects are not followed. */
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
                 * @description Id of the event: the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description Unix seconds of the attempt.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64 HMAC-SHA256 of id.timestamp.body>`, separated by spaces: one for each live secret.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
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
            /** @description Received. Any other 2xx says the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody is there any more. It is not tried again, and the endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many. It is tried again in a minute at the earliest, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is tried again, later and later. Redirects are not followed. */
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
                 * @description Id of the event: the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description Unix seconds of the attempt.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64 HMAC-SHA256 of id.timestamp.body>`, separated by spaces: one for each live secret.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
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
            /** @description Received. Any other 2xx says the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody is there any more. It is not tried again, and the endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many. It is tried again in a minute at the earliest, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is tried again, later and later. Redirects are not followed. */
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
                 * @description Id of the event: the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description Unix seconds of the attempt.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64 HMAC-SHA256 of id.timestamp.body>`, separated by spaces: one for each live secret.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
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
            /** @description Received. Any other 2xx says the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody is there any more. It is not tried again, and the endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many. It is tried again in a minute at the earliest, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is tried again, later and later. Redirects are not followed. */
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
                 * @description Id of the event: the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description Unix seconds of the attempt.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64 HMAC-SHA256 of id.timestamp.body>`, separated by spaces: one for each live secret.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
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
            /** @description Received. Any other 2xx says the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody is there any more. It is not tried again, and the endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many. It is tried again in a minute at the earliest, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is tried again, later and later. Redirects are not followed. */
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
                 * @description Id of the event: the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description Unix seconds of the attempt.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64 HMAC-SHA256 of id.timestamp.body>`, separated by spaces: one for each live secret.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
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
            /** @description Received. Any other 2xx says the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The endpoint is not disabled: it was a test. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. It is not tried again: whoever asked for the test is told. */
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
                 * @description Id of the event: the same for every attempt and replay.
                 * @example evt_6f2c1d0b9a8e7f6a5b4c3d2e1f
                 */
                "webhook-id": string;
                /**
                 * @description Unix seconds of the attempt.
                 * @example 1795176000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64 HMAC-SHA256 of id.timestamp.body>`, separated by spaces: one for each live secret.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
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
            /** @description Received. Any other 2xx says the same. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody is there any more. It is not tried again, and the endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many. It is tried again in a minute at the earliest, or when `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: it is tried again, later and later. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
