type ErrorType = 'invalid_request_error' | 'idempotency_error' | 'api_error';

interface Details {
  type?: ErrorType;
  code?: string;
  param?: string;
}

/** Becomes Stripe's error object. Without that object the SDK treats a 400 as a success. */
export class StripeError extends Error {
  readonly status: number;
  readonly details: Details;

  constructor(status: number, message: string, details: Details = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }

  body(requestId: string): object {
    const request_log_url = `https://dashboard.stripe.com/test/workbench/logs?object=${requestId}`;
    const { message, details } = this;
    return { error: { type: 'invalid_request_error', ...details, message, request_log_url } };
  }
}

export function invalid(message: string, param?: string, code?: string): StripeError {
  return new StripeError(400, message, {
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  });
}

/** @param param the parameter with the id; by default the id stands in the path */
export function noSuch(kind: string, id: string, param?: string): StripeError {
  const details = { code: 'resource_missing', param: param ?? 'id' };
  return new StripeError(param === undefined ? 404 : 400, `No such ${kind}: '${id}'`, details);
}
