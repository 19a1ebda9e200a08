import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const NEEDED = { META_APP_ID: '123', META_APP_SECRET: 'secret' };

describe('configuration', () => {
  test('little is needed, and the rest has the defaults that the documentation names', () => {
    expect(readConfig(NEEDED)).toMatchObject({
      port: 3000,
      publicUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      dataDir: './data',
      statusPollMs: 10_000,
      role: 'all',
      meta: {
        apiVersion: 'v26.0',
        graphUrl: 'https://graph.facebook.com',
        statusUrl: 'https://metastatus.com',
        statusServices: [{ product: 'ads-manager', service: 'Ads Delivery' }],
      },
    });
  });

  test('every fault is named at once', () => {
    const faults = () =>
      readConfig({ PORT: 'x', META_API_VERSION: '26', ENCRYPTION_KEY: 'short', ROLE: 'boss' });
    expect(faults).toThrow(ConfigError);
    for (const name of [
      'PORT',
      'META_API_VERSION',
      'ENCRYPTION_KEY',
      'ROLE',
      'META_APP_ID: is missing',
      'META_APP_SECRET',
    ]) {
      expect(faults).toThrow(name);
    }
  });

  test('an empty value counts as absent, and an address loses its last slash', () => {
    expect(readConfig({ ...NEEDED, DATABASE_URL: '', PUBLIC_URL: 'https://x.example/' })).toMatchObject({
      databaseUrl: undefined,
      publicUrl: 'https://x.example',
    });
  });

  test('several services may count', () => {
    const META_STATUS_SERVICES = 'ads-manager:Ads Delivery, marketing-api:Campaigns';
    expect(readConfig({ ...NEEDED, META_STATUS_SERVICES }).meta.statusServices).toEqual([
      { product: 'ads-manager', service: 'Ads Delivery' },
      { product: 'marketing-api', service: 'Campaigns' },
    ]);
    expect(() => readConfig({ ...NEEDED, META_STATUS_SERVICES: 'ads-manager' })).toThrow(
      'META_STATUS_SERVICES',
    );
  });

  test('production needs its own key and address', () => {
    const faults = () => readConfig({ ...NEEDED, NODE_ENV: 'production' });
    expect(faults).toThrow('ENCRYPTION_KEY');
    expect(faults).toThrow('PUBLIC_URL');
  });

  test('a secret is never part of the message', () => {
    expect(() => readConfig({ ...NEEDED, ENCRYPTION_KEY: 'hunter2' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') as string }) as Error,
    );
  });
});
