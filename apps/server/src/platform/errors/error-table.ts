interface ErrorRow {
  readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 426 | 429 | 500 | 503;
  /** For people: says what happened and, where they can do something, what to change. */
  readonly text: string;
}

/** Every code that the API answers with, its status and its text: the only such table. Codes never change meaning. */
export const errorTable = {
  // The shape of the request.
  bad_request: { status: 400, text: 'The request could not be understood.' },
  invalid_request: { status: 400, text: 'The request is not valid.' },
  malformed_json: { status: 400, text: 'The body is not valid JSON. Send a JSON object.' },
  payload_too_large: { status: 413, text: 'The request is too large.' },
  unsupported_media_type: {
    status: 415,
    text: 'This content type is not accepted here. Send application/json.',
  },
  upgrade_required: { status: 426, text: 'This address is a WebSocket. Open it as one.' },
  route_not_found: { status: 404, text: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, text: 'This address does not take that method.' },

  // Who is calling, and how often.
  unauthorized: { status: 401, text: 'Sign in, or send an API key that is still valid.' },
  token_expired: { status: 401, text: 'Your session has ended. Sign in again.' },
  unknown_api_key: { status: 401, text: 'This API key is not known. Send a key that exists.' },
  api_key_not_accepted: {
    status: 403,
    text: 'An API key does not open this call. Sign in and send a bearer token.',
  },
  origin_not_allowed: {
    status: 403,
    text: 'This page may not open the channel. Open it from the product itself.',
  },
  too_many_requests: { status: 429, text: 'Too many requests. Wait a moment and try again.' },
  not_found: { status: 404, text: 'This content is not there, or no longer there.' },

  // Our own trouble.
  internal_error: { status: 500, text: 'Something went wrong on our side. Please try again in a minute.' },
  service_unavailable: {
    status: 503,
    text: 'The service cannot answer right now. Please try again in a minute.',
  },

  // Credits.
  insufficient_credits: {
    status: 402,
    text: 'Your balance does not cover this. Buy credits, then try again.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;
