type ErrorType = 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';

interface Details {
  type?: ErrorType;
  code?: string;
  param?: string;
  decline_code?: string;
}

/** Is answered as Stripe's error object. Without that object the SDK would take a 400 for a success. */
export class StripeError extends Error {
  readonly status: number;
  readonly details: Details;

  constructor(status: number, message: string, details: Details = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }

  body(requestId: string): object {
    const { type = 'invalid_request_error', ...rest } = this.details;
    const docs =
      rest.code === undefined
        ? {}
        : { doc_url: `https://stripe.com/docs/error-codes/${rest.code.replaceAll('_', '-')}` };
    return {
      error: {
        ...rest,
        ...docs,
        message: this.message,
        request_log_url: `https://dashboard.stripe.com/test/workbench/logs?object=${requestId}`,
        type,
      },
    };
  }
}

export function invalid(message: string, param?: string, code?: string): StripeError {
  return new StripeError(400, message, {
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  });
}

/** @param param where the id was given; without it the id was in the address */
export function noSuch(kind: string, id: string, param?: string): StripeError {
  const details = { code: 'resource_missing', param: param ?? 'id' };
  return new StripeError(param === undefined ? 404 : 400, `No such ${kind}: '${id}'`, details);
}

export function cardDeclined(): StripeError {
  return new StripeError(402, 'Your card was declined.', {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
  });
}
