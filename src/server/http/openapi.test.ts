import { describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { WEBHOOK_TYPES } from '#contract/webhook-payload.ts';
import { startSuite } from '../../../test/support/suite.ts';

interface Operation {
  operationId: string;
  security?: object[];
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
}

describe('the OpenAPI document', () => {
  const suite = startSuite();

  test('has every call of the contract, with its schemas', async () => {
    const { openapi, paths } = (await suite.product.app.http.inject('/api/openapi.json')).json<Document>();
    expect(openapi).toBe('3.1.0');
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );
    const names = operations.map(({ operation: { operationId } }) => operationId);
    expect(names.toSorted()).toEqual([...Object.keys(api), 'events', 'logout'].toSorted());
    for (const [name, { access, method, path }] of Object.entries(api)) {
      const operation = paths[path]?.[method.toLowerCase()];
      expect(operation?.operationId).toBe(name);
      expect(operation?.security, name).toEqual(access === 'public' ? undefined : [{ session: [] }]);
      expect(Object.keys(operation?.responses ?? {}), name).toEqual(['2XX', 'default']);
    }
    expect(paths['/api/smartpause/{adAccountId}/{campaignId}']?.['post']?.parameters).toMatchObject([
      { name: 'adAccountId', in: 'path', required: true },
      { name: 'campaignId', in: 'path', required: true },
    ]);
    expect(JSON.stringify(paths)).not.toContain('$ref');
  });

  test('[CHAN-02] has the schema of webhooks, with the types that are sent', async () => {
    const { webhooks } = (await suite.product.app.http.inject('/api/openapi.json')).json<Document>();
    const { parameters, requestBody } = webhooks['notification']?.['post'] ?? {};
    expect(parameters?.map(({ name }) => name)).toEqual([
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    ]);
    const { schema } = requestBody?.content['application/json'] ?? {};
    expect(schema).toMatchObject({ properties: { type: { enum: Object.values(WEBHOOK_TYPES) } } });
  });
});
