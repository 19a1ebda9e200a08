import { describe, expect, test } from 'vitest';
import type { Stand } from './stand.ts';

/** What holds for calls of any kind: refusals, idempotency, lists, what is gone. */
export function describeCalls(stand: () => Stand): void {
  describe('a refusal', () => {
    test('names an unknown parameter', async () => {
      const call = stand().stripe.customers.create({ emial: 'x' } as never);
      await expect(call).rejects.toMatchObject({
        statusCode: 400,
        code: 'parameter_unknown',
        param: 'emial',
      });
    });

    test('names a parameter that is missing', async () => {
      const call = stand().stripe.products.create({} as never);
      await expect(call).rejects.toMatchObject({ statusCode: 400, code: 'parameter_missing', param: 'name' });
    });

    test('of what is not there is 404, of a parameter that names it 400', async () => {
      const { stripe } = stand();
      const gone = { code: 'resource_missing' };
      await expect(stripe.subscriptions.retrieve('sub_missing')).rejects.toMatchObject({
        statusCode: 404,
        ...gone,
      });
      const portal = stripe.billingPortal.sessions.create({
        customer: 'cus_missing',
        return_url: 'https://example.com',
      });
      await expect(portal).rejects.toMatchObject({ statusCode: 400, param: 'customer', ...gone });
    });
  });

  describe('an idempotency key', () => {
    test('answers a repeated call with the first answer, and refuses other parameters', async () => {
      const { stripe, unique, customer } = stand();
      const idempotencyKey = unique('key');
      const params = { description: 'once' };
      const first = await stripe.customers.create(params, { idempotencyKey });
      const again = await stripe.customers.create(params, { idempotencyKey });
      expect(again.id).toBe(first.id);
      expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
      const other = stripe.customers.create({ description: 'other' }, { idempotencyKey });
      await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
      await stripe.customers.del(first.id);
      expect((await customer()).id).not.toBe(first.id);
    });
  });

  describe('a price', () => {
    test('is found by its lookup key, which no other may take', async () => {
      const { stripe, product, unique } = stand();
      const params = { product, currency: 'usd', unit_amount: 100, lookup_key: unique('lookup') };
      const { id } = await stripe.prices.create(params);
      const found = await stripe.prices.list({ lookup_keys: [params.lookup_key] });
      expect(found.data.map((price) => price.id)).toEqual([id]);
      await expect(stripe.prices.create(params)).rejects.toMatchObject({ statusCode: 400 });
      const heir = await stripe.prices.create({ ...params, transfer_lookup_key: true });
      expect((await stripe.prices.retrieve(id)).lookup_key).toBeNull();
      for (const one of [id, heir.id]) await stripe.prices.update(one, { active: false });
    });
  });

  describe('a customer', () => {
    test('loses a key of its metadata by an empty text', async () => {
      const { stripe, customer } = stand();
      const { id } = await customer({ metadata: { a: '1', b: '2' } });
      expect((await stripe.customers.update(id, { metadata: { a: '' } })).metadata).toEqual({ b: '2' });
    });

    test('who was deleted is still told of, as deleted', async () => {
      const { stripe, customer } = stand();
      const { id } = await customer();
      expect(await stripe.customers.del(id)).toEqual({ id, object: 'customer', deleted: true });
      expect(await stripe.customers.retrieve(id)).toMatchObject({ id, deleted: true });
      const update = stripe.customers.update(id, { description: 'x' });
      await expect(update).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' });
    });
  });

  describe('a webhook endpoint', () => {
    test('tells its secret when it is created, and never again', async () => {
      const { stripe, unique } = stand();
      const url = `https://example.com/${unique('hook')}`;
      const { id, secret } = await stripe.webhookEndpoints.create({ url, enabled_events: ['invoice.paid'] });
      expect(secret).toMatch(/^whsec_/);
      expect((await stripe.webhookEndpoints.retrieve(id)).secret).toBeUndefined();
      expect(await stripe.webhookEndpoints.del(id)).toMatchObject({ id, deleted: true });
    });
  });
}
