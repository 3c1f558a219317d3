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

export const invalidRequest = (
  message: string,
  details: Pick<ErrorBody, 'param' | 'code'> = {},
  status = 400,
): PaymentsError => new PaymentsError(status, { type: 'invalid_request_error', message, ...details });

export const missingResource = (kind: string, id: string, param = 'id'): PaymentsError =>
  invalidRequest(`No such ${kind}: '${id}'`, { code: 'resource_missing', param }, 404);

export interface CardDecline {
  code: string;
  decline_code: string;
  message: string;
}

export const cardError = (decline: CardDecline): PaymentsError =>
  new PaymentsError(402, { type: 'card_error', ...decline });
