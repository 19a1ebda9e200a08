import { describe, expect, test } from 'vitest';
import type { Config } from './read-config.ts';
import {
  ConfigError,
  readConfig,
  readDatabaseConfig,
  readPlatformConfig,
  readStripeSetupConfig,
} from './read-config.ts';

const NEEDED = {
  DATABASE_URL: 'postgres://localhost/smartpause',
  ENCRYPTION_KEY: 'a-key-for-tests-of-32-characters-or-more',
  META_APP_ID: '123',
  META_APP_SECRET: 'secret',
  SMTP_URL: 'smtp://localhost:25',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_PRICE_MONTHLY: 'price_1',
  STRIPE_PRICE_YEARLY: 'price_2',
  STRIPE_PORTAL_CONFIGURATION: 'bpc_1',
};

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://smartpause_app@db.example/smartpause',
  META_APP_SECRET: '0123456789abcdef',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  ENCRYPTION_KEY: 'a-key-for-tests-of-32-characters-or-more',
  PUBLIC_URL: 'https://x.example',
  MAIL_FROM: 'mail@x.example',
};

describe('configuration', () => {
  test('only a few settings are required, the others have the documented defaults', () => {
    expect(readConfig(NEEDED)).toMatchObject({
      port: 3000,
      publicUrl: 'http://localhost:3000',
      databaseUrl: 'postgres://localhost/smartpause',
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

  test('[FMT-03] the legal pages name the company; its contact defaults to the sender of the emails', () => {
    const read = (given: NodeJS.ProcessEnv) => readConfig({ ...NEEDED, ...given }).company;
    const sender = { MAIL_FROM: 'SmartPause <mail@lind.example>' };
    expect(read(sender)).toEqual({ name: 'SmartPause', address: null, contact: 'mail@lind.example' });
    expect(read({ MAIL_FROM: 'mail@lind.example' }).contact).toBe('mail@lind.example');
    expect(
      read({
        ...sender,
        COMPANY_NAME: 'Lind LLC',
        COMPANY_ADDRESS: '1 Main Street, Chicago',
        CONTACT_EMAIL: 'help@lind.example',
      }),
    ).toEqual({ name: 'Lind LLC', address: '1 Main Street, Chicago', contact: 'help@lind.example' });
  });

  test('the error lists every invalid variable', () => {
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
      'SMTP_URL: is missing',
      'STRIPE_SECRET_KEY: is missing',
      'STRIPE_WEBHOOK_SECRET: is missing',
    ]) {
      expect(faults).toThrow(name);
    }
  });

  test.each([
    ['Meta itself', {}, true],
    ['another in its place', { META_GRAPH_URL: 'http://127.0.0.1:4001' }, false],
    ['production by its name', { ...PRODUCTION, META_GRAPH_URL: 'https://graph.example' }, true],
  ])(
    '[ADMIN-06] production-like, since live users may be affected: %s',
    (_name, settings, isProductionLike) => {
      expect(readConfig({ ...NEEDED, ...settings })).toMatchObject({ isProductionLike });
    },
  );

  test('an empty value counts as absent, and an address loses its trailing slash', () => {
    expect(readConfig({ ...NEEDED, OPERATIONS_PORT: '', PUBLIC_URL: 'https://x.example/' })).toMatchObject({
      operations: null,
      publicUrl: 'https://x.example',
    });
  });

  test('a live Stripe key is rejected with an address other than Stripe’s', () => {
    const live = { ...NEEDED, STRIPE_SECRET_KEY: 'sk_live_1' };
    expect(readConfig(live).stripe.apiUrl).toBeNull();
    expect(() => readConfig({ ...live, STRIPE_API_URL: 'http://127.0.0.1:4004' })).toThrow('STRIPE_API_URL');
  });

  test('the server and its commands require a database URL', () => {
    const missing = 'DATABASE_URL: is missing, for example: postgres';
    expect(() => readConfig({ ...NEEDED, DATABASE_URL: '' })).toThrow(missing);
    expect(() => readDatabaseConfig({})).toThrow(missing);
  });

  test('in production a command validates the variables that it reads, as the server does', () => {
    const given = { ...NEEDED, ...PRODUCTION };
    const platform = (settings: Record<string, string>) => () =>
      readPlatformConfig({ ...given, ...settings });
    expect(platform({})().meta.appId).toBe('123');
    expect(readDatabaseConfig({ ...given, META_APP_SECRET: 'x' }).databaseUrl).toBe(PRODUCTION.DATABASE_URL);
    expect(platform({ META_GRAPH_URL: 'http://graph.example' })).toThrow('META_GRAPH_URL: must be https');
    expect(platform({ META_APP_SECRET: 'hunter2' })).toThrow(
      'META_APP_SECRET: must have at least 16 characters',
    );
    expect(platform({ META_APP_ID: '', DATABASE_URL: '' })).toThrow(
      /DATABASE_URL: is missing[^]*META_APP_ID: is missing/,
    );
    expect(() => readStripeSetupConfig({ ...given, PUBLIC_URL: 'http://x.example' })).toThrow(
      'PUBLIC_URL: must be https',
    );
    expect(readStripeSetupConfig({ ...given, NODE_ENV: '', PUBLIC_URL: 'http://x.example' })).toBeDefined();
  });

  const inProduction = (settings: Record<string, string>) => () =>
    readConfig({ ...NEEDED, ...PRODUCTION, ...settings });

  const NOT_THIS_MACHINE = 'must not be this machine';
  const NOT_HTTPS = 'must be https unless it is this machine';
  test.each([
    ['PUBLIC_URL', 'http://x.example', NOT_HTTPS],
    ['META_GRAPH_URL', 'http://127.0.0.1.example', NOT_HTTPS],
    ['META_DIALOG_URL', 'http://localhost.example', NOT_HTTPS],
    ['META_STATUS_URL', 'http://169.254.169.254/', NOT_HTTPS],
    ['PUBLIC_URL', 'http://localhost:3000', NOT_THIS_MACHINE],
    ['META_GRAPH_URL', 'http://127.0.0.1:4001', NOT_THIS_MACHINE],
    ['META_DIALOG_URL', 'https://localhost', NOT_THIS_MACHINE],
    ['META_STATUS_URL', 'http://[::1]:4002', NOT_THIS_MACHINE],
    ['STRIPE_SECRET_KEY', 'sk_test_1', 'must not be a test key'],
    ['META_APP_SECRET', 'hunter2', 'must have at least 16 characters'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_0123456789abcdef,whsec_x', 'must have at least 16 characters'],
    ['META_APP_SECRET', ' '.repeat(20), 'must have at least 16 characters'],
  ])('production rejects %s=%s', (name, value, why) => {
    expect(inProduction({ [name]: value })).toThrow(`${name}: ${why}`);
    expect(inProduction({})).not.toThrow();
    expect(readConfig({ ...NEEDED, [name]: value })).toBeDefined();
  });

  test('a production demo works with services on this machine and a test key', () => {
    const [address, STRIPE_SECRET_KEY] = ['http://127.0.0.1:4001', 'sk_test_1'];
    const settings = { META_GRAPH_URL: address, PUBLIC_URL: 'http://[::1]:4001', STRIPE_SECRET_KEY };
    expect(inProduction({ ...settings, DEMO: '1' })().meta.graphUrl).toBe(address);
  });

  test('the operators’ port is optional', () => {
    expect(readConfig(NEEDED).operations).toBeNull();
    const given = { ...NEEDED, HOST: '0.0.0.0', OPERATIONS_PORT: '9464' };
    expect(readConfig(given).operations).toEqual({ port: 9464, host: '0.0.0.0' });
    expect(readConfig({ ...given, OPERATIONS_HOST: '127.0.0.1' }).operations?.host).toBe('127.0.0.1');
  });

  const REJECTED: Record<string, string[]> = {
    PUBLIC_URL: ['https://me:hunter2@x.example', 'https://x.example/app', 'https://x.example/?a=1'],
    TRUST_PROXY: ['10.0.0.0/99', '0.0.0.0/0', '::/0', 'proxy', ','],
    MAIL_FROM: ['smartpause', 'a@b\nBcc: x@y', 'A <a b@c>'],
    SMTP_URL: [
      'http://me:hunter2@mail.example',
      'mail.example:25',
      'smtp://',
      'smtp://hunter2@m?maxConnections=11',
    ],
    ENCRYPTION_KEY: ['hunter2', 'a'.repeat(40), 'abc'.repeat(11)],
    ADMIN_PLATFORM_IDS: ['12:kings', 'maya'],
    META_STATUS_SERVICES: ['ads-manager'],
    STRIPE_SECRET_KEY: ['pk_test_1'],
    CONTACT_EMAIL: ['lind'],
    COMPANY_NAME: ['Lind\nLLC'],
    CANARY_AD_ACCOUNT: ['12', 'act_x'],
    CONTROL_URLS: ['one.example', 'ftp://one.example'],
    ALLOWED_WEBHOOK_ADDRESSES: [
      'hooks.example',
      'http://hooks.example:80',
      'me@hooks.example:80',
      'a b:1',
      'a:99999',
    ],
  };
  test.each(
    Object.entries(REJECTED).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  )('%s must not be %j; the error never contains the value', (name, value) => {
    const read = () => readConfig({ ...NEEDED, [name]: value });
    expect(read).toThrow(new RegExp(`^  ${name}: `, 'm'));
    expect(read).not.toThrow('hunter2');
  });

  test.each<[name: string, value: string, read: (config: Config) => unknown, expected: unknown]>([
    ['TRUST_PROXY', '2', ({ trustProxy }) => trustProxy, 2],
    [
      'TRUST_PROXY',
      '10.0.0.0/8, ::1,fd00::/8',
      ({ trustProxy }) => trustProxy,
      ['10.0.0.0/8', '::1', 'fd00::/8'],
    ],
    [
      'META_STATUS_SERVICES',
      'ads-manager:Ads Delivery, marketing-api:Campaigns',
      ({ meta }) => meta.statusServices,
      [
        { product: 'ads-manager', service: 'Ads Delivery' },
        { product: 'marketing-api', service: 'Campaigns' },
      ],
    ],
    [
      'ALLOWED_WEBHOOK_ADDRESSES',
      'Hooks.Example:443, 127.1:4005,[FD00::5]:80',
      ({ allowedWebhookAddresses }) => allowedWebhookAddresses,
      ['hooks.example:443', '127.0.0.1:4005', '[fd00::5]:80'],
    ],
    [
      'ADMIN_PLATFORM_IDS',
      '12, 34:developers,',
      ({ configuredRoles }) => configuredRoles,
      [
        { platformUserId: '12', role: 'administrators' },
        { platformUserId: '34', role: 'developers' },
      ],
    ],
    [
      'CONTROL_URLS',
      'https://one.example/ok,http://two.example',
      ({ controlUrls }) => controlUrls.map(({ href }) => href),
      ['https://one.example/ok', 'http://two.example/'],
    ],
  ])('%s can be %j', (name, value, read, expected) => {
    expect(read(readConfig({ ...NEEDED, [name]: value }))).toEqual(expected);
  });

  test.each([
    ['CANARY_AD_ACCOUNT', 'act_12', 'CANARY_TOKEN'],
    ['CANARY_TOKEN', 'EAAB', 'CANARY_AD_ACCOUNT'],
  ])('%s alone is refused', (name, value, other) => {
    expect(() => readConfig({ ...NEEDED, [name]: value })).toThrow(`${name}: needs ${other}`);
    const both = readConfig({ ...NEEDED, CANARY_AD_ACCOUNT: 'act_12', CANARY_TOKEN: 'EAAB' });
    expect(both.canary).toEqual({ accountId: 'act_12', token: 'EAAB' });
  });
});
