import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { compressReply } from './compress.ts';

test('long API responses are compressed if the client accepts it', async () => {
  const app = fastify();
  app.addHook('onSend', compressReply);
  const long = { names: Array.from({ length: 1000 }, (_, index) => `Spring Sale | ${index}`) };
  app.get('/api/long', () => long);
  app.get('/api/short', () => ({ name: 'Spring Sale' }));
  const ask = (url: string, encoding: string) =>
    app.inject({ url, headers: { 'accept-encoding': encoding } });

  const packed = await ask('/api/long', 'br, gzip, deflate');
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(JSON.parse(gunzipSync(packed.rawPayload).toString())).toEqual(long);
  expect(packed.rawPayload.length).toBeLessThan(JSON.stringify(long).length / 3);

  const plain = await ask('/api/long', 'identity');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.json()).toEqual(long);
  expect((await ask('/api/short', 'gzip')).headers['content-encoding']).toBeUndefined();
  await app.close();
});
