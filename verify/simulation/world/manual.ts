import type { Span, SpanOptions, Tracer } from '@opentelemetry/api';
import { INVALID_SPAN_CONTEXT, ROOT_CONTEXT, context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';

/** Spans of the product in which it carries out a user's own pause or resume. */
const manual = new WeakSet<Span>();

const tracer = {
  startSpan(name: string, _options?: SpanOptions, within = context.active()): Span {
    const span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
    const parent = trace.getSpan(within);
    if (name === 'manual change' || (parent !== undefined && manual.has(parent))) manual.add(span);
    return span;
  },
} as Tracer;

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider({ getTracer: () => tracer });

/** Work that a manual pause or resume only triggers is not part of it. */
export function notManual<T>(act: () => T): T {
  return context.with(ROOT_CONTEXT, act);
}

/** Whether the product is sending a user's manual pause or resume, and no write of a hold. */
export function isManual(): boolean {
  const span = trace.getActiveSpan();
  return span !== undefined && manual.has(span);
}
