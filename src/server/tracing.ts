import type { Tracing } from './config.ts';
import type { Log } from './observability/log.ts';

/**
 * Sends the spans of this process to a collector by OTLP. The library is loaded only if tracing is on.
 * It reads headers and resource attributes from the standard OpenTelemetry variables.
 */
export async function startTracing(
  { url, serviceName, sampledRatio }: Tracing,
  log: Log,
): Promise<{ close: () => Promise<void> }> {
  const [
    { context, diag, trace },
    sdk,
    { OTLPTraceExporter },
    { AsyncLocalStorageContextManager },
    resources,
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
  ]);
  const say = (message: string): void => log.warn({ message }, 'traces could not be sent');
  const silent = (): void => undefined;
  diag.setLogger({ error: say, warn: say, info: silent, debug: silent, verbose: silent });
  const provider = new sdk.TracerProvider({
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(sampledRatio) }),
    resource: resources
      .defaultResource()
      .merge(resources.detectResources({ detectors: [resources.resourceAttributesEnvDetector] }))
      .merge(resources.resourceFromAttributes({ 'service.name': serviceName })),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return {
    close: async () => {
      await provider.shutdown();
      trace.disable();
      context.disable();
      diag.disable();
    },
  };
}
