export interface ErrorBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
}

/** An answer that is not a success: what the SDK turns into one of its own error classes. */
export class PaymentsError extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.name = 'PaymentsError';
    this.status = status;
    this.body = body;
  }
}

export function invalidRequest(
  message: string,
  details: { param?: string; code?: string } = {},
): PaymentsError {
  return new PaymentsError(400, { type: 'invalid_request_error', message, ...details });
}

export function missingResource(kind: string, id: string, param = 'id'): PaymentsError {
  return new PaymentsError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

export function unrecognizedUrl(method: string, path: string): PaymentsError {
  return new PaymentsError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). The stand-in answers only the calls that Assay makes.`,
  });
}

export function cardError(decline: { code: string; declineCode?: string; message: string }): PaymentsError {
  return new PaymentsError(402, {
    type: 'card_error',
    code: decline.code,
    message: decline.message,
    ...(decline.declineCode ? { decline_code: decline.declineCode } : {}),
  });
}
