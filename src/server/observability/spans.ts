import type { Attributes } from '@opentelemetry/api';
import { SpanKind, SpanStatusCode, context, trace } from '@opentelemetry/api';

/** Without tracing each of these costs next to nothing. */
const tracer = trace.getTracer('smartpause');

/**
 * What is done in it becomes its part.
 * @param kind how the work came about: by somebody's request, for an answer of somebody else's, or by itself
 */
export async function inSpan<T>(
  name: string,
  given: { kind?: 'client' | 'internal'; attributes?: Attributes },
  run: (note: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> {
  const kind = given.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL;
  const span = tracer.startSpan(name, { kind, attributes: given.attributes ?? {} });
  try {
    return await context.with(trace.setSpan(context.active(), span), () =>
      run((attributes) => span.setAttributes(attributes)),
    );
  } catch (error) {
    // The kind only: what went wrong may quote an address, and with it a secret.
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'Error' });
    throw error;
  } finally {
    span.end();
  }
}

/** A statement of the database that is over, as a part of something. Its text has places for values, and none of them. */
export function traceStatement({ sql, tookMs }: { sql: string; tookMs: number }): void {
  if (trace.getActiveSpan() === undefined) return;
  const endTime = Date.now();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql };
  tracer
    .startSpan('statement', { kind: SpanKind.CLIENT, startTime: endTime - tookMs, attributes })
    .end(endTime);
}

export interface RequestSpan {
  /** Goes on in it. */
  within: (next: () => void) => void;
  end: (answer: { route: string; status: number }) => void;
}

export function startRequestSpan(method: string): RequestSpan {
  const span = tracer.startSpan(method, {
    kind: SpanKind.SERVER,
    attributes: { 'http.request.method': method },
  });
  const inside = trace.setSpan(context.active(), span);
  return {
    within: (next) => context.with(inside, next),
    end: ({ route, status }) => {
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Of the trace that this is a part of; null: there is none. */
export function traceId(): string | null {
  const span = trace.getActiveSpan();
  return span?.isRecording() === true ? span.spanContext().traceId : null;
}
