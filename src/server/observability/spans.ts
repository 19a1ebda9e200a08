import type { Attributes } from '@opentelemetry/api';
import { SpanKind, SpanStatusCode, context, trace } from '@opentelemetry/api';

/** Without tracing these calls cost next to nothing. */
const tracer = trace.getTracer('smartpause');

/**
 * Runs work in a span; spans that start within it become its children.
 * @param kind server (a request to us), client (a call to another service) or internal
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
    // Only the error's name: its message may quote an address, and with it a secret.
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'Error' });
    throw error;
  } finally {
    span.end();
  }
}

/** Records a completed SQL statement. The text has placeholders and no values. */
export function traceStatement({ sql, tookMs }: { sql: string; tookMs: number }): void {
  if (trace.getActiveSpan() === undefined) return;
  const endTime = Date.now();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql };
  tracer
    .startSpan('statement', { kind: SpanKind.CLIENT, startTime: endTime - tookMs, attributes })
    .end(endTime);
}

export interface RequestSpan {
  /** Runs `next` within the span. */
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

/** The id of the current trace; null: there is none. */
export function traceId(): string | null {
  const span = trace.getActiveSpan();
  return span?.isRecording() === true ? span.spanContext().traceId : null;
}
