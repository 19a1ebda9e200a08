import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../scripts/outside/simulators.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { freshDatabase } from '../../test/support/database.ts';
import { newAdvertiser, startProduct } from '../../test/support/product.ts';

const value = z.object({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() });
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((list) =>
    Object.fromEntries(list.map(({ key, value: v }) => [key, v.stringValue ?? v.intValue])),
  );
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes,
});
const packet = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

/** Requests that the collector received. */
const received: { path: string; body: string }[] = [];
const collector = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    received.push({ path: request.url ?? '', body });
    response.setHeader('content-type', 'application/json').end('{}');
  });
});
let simulators: Simulators;

beforeAll(async () => {
  simulators = await startSimulators(SIMULATORS, 'free');
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await simulators.stop();
  collector.close();
});

test('spans of requests and reconciler passes reach the collector, without secrets', async () => {
  const { port } = collector.address() as AddressInfo;
  const product = await startProduct({
    simulators,
    database: await freshDatabase(),
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_SERVICE_NAME: 'under-test' },
  });
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'], on: 1 });
  await simulators.status.reports('High disruptions');
  await waitFor('it to be paused', async () => {
    const holds = await product.app.db.selectFrom('hold').select('state').execute();
    return holds[0]?.state === 'paused';
  });
  const answer = await fetch(`${product.url}/api/me`, {
    headers: { authorization: `Bearer ${who.user.token}` },
  });
  expect(answer.status).toBe(200);
  await product.close();
  expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
  const packets = received.map(({ body }) => packet.parse(JSON.parse(body)));
  const resources = packets.flatMap(({ resourceSpans }) => resourceSpans);
  expect(new Set(resources.map(({ resource }) => resource.attributes['service.name']))).toEqual(
    new Set(['under-test']),
  );
  const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const partsOf = (name: string) => {
    const whole = spans.filter((one) => one.name === name).map(({ spanId }) => spanId);
    return spans.filter(({ parentSpanId = '' }) => whole.includes(parentSpanId)).map((one) => one.name);
  };
  const [mine] = spans.filter((one) => one.name === 'GET /api/me');
  expect(mine?.attributes).toMatchObject({ 'http.response.status_code': 200, 'http.route': '/api/me' });
  expect(partsOf('GET /api/me')).toContain('statement');
  expect(partsOf('reconcile')).toEqual(expect.arrayContaining(['GET', 'POST', 'statement']));
  const [turn] = spans.filter((one) => one.name === 'reconcile');
  expect(turn?.attributes['account']).toBe(who.accountId);
  const all = received.map(({ body }) => body).join('\n');
  const secrets = [who.user.token, 'appsecret_proof=', 'access_token=', 'Bearer '];
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
});

test('an unavailable collector does no harm', async () => {
  const product = await startProduct({
    simulators,
    database: await freshDatabase(),
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
  });
  expect((await fetch(`${product.url}/health`)).status).toBe(200);
  await product.close();
});
