import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import net from 'node:net';
import tls from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHttp } from '#server/platforms/http.ts';
import type { Refusal } from './outside-address.ts';
import { REFUSALS, checkAddress, hostAndPort, isOutside } from './outside-address.ts';
import type { OutsideHttp, Resolve } from './outside-http.ts';
import { OUTSIDE_TIMEOUT_MS, createOutsideHttp, guardedConnector } from './outside-http.ts';
import { CERTIFICATE, KEY } from './tls.fixture.ts';

const PUBLIC = '93.184.216.34';
const SECRET = 'T0/B0/of-the-url';

/** What each socket tries to connect to, and the connections that the listener on 127.0.0.1 has seen. */
let attempts: string[];
let arrived: number;
let requests: number;
/** How the listener answers. */
let respond: RequestListener;
/** What the test does to each socket of TLS, and options that it is made with instead. */
let meddle: (socket: tls.TLSSocket) => void;
let instead: tls.ConnectionOptions;
let server: Server;
let port: number;
let outside: OutsideHttp;

const listen = async (one: Server): Promise<number> => {
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  return (one.address() as AddressInfo).port;
};
const counted: RequestListener = (request, response) => {
  requests += 1;
  respond(request, response);
};

beforeEach(async () => {
  [attempts, arrived, requests] = [[], 0, 0];
  [respond, meddle, instead] = [(_request, response) => void response.end('reached'), () => undefined, {}];
  server = createServer(counted);
  server.on('connection', () => (arrived += 1));
  port = await listen(server);
  const watch = <T extends net.Socket>(socket: T): T =>
    socket.on('connectionAttempt', (ip: string, at: number) => attempts.push(`${ip}:${at}`));
  const connect = net.connect as (options: net.NetConnectOpts) => net.Socket;
  const connectTls = tls.connect as (options: tls.ConnectionOptions) => tls.TLSSocket;
  vi.spyOn(net, 'connect').mockImplementation((options: unknown) =>
    watch(connect(options as net.NetConnectOpts)),
  );
  vi.spyOn(tls, 'connect').mockImplementation((options: unknown) => {
    const socket = watch(connectTls({ ...(options as tls.ConnectionOptions), ...instead }));
    meddle(socket);
    return socket;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await outside.close();
  await new Promise((resolve) => server.close(resolve));
});

/** Answers a name by turns. */
const turns = (...answers: string[][]): Resolve => {
  const left = new Map<string, string[][]>();
  return (name) => {
    const own = left.get(name) ?? [...answers];
    left.set(name, own.slice(1));
    return Promise.resolve(own[0] ?? answers.at(-1) ?? []);
  };
};
const post = (url: string, body = '{}') => outside.post({ url, headers: {}, body });

const INSIDE = [
  ...['127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.1.1'],
  // Metadata of cloud machines: AWS and others, Alibaba, Oracle, Azure.
  ...['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '198.18.0.1'],
];

/** One address in many ways of writing it. */
function spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (...bytes: number[]): string => bytes.map((one) => one.toString(16).padStart(2, '0')).join('');
  const [high, low] = [hex(a, b), hex(c, d)];
  return [
    ...[address, `${address}.`, String(number), `0x${number.toString(16)}`, `0${number.toString(8)}`],
    ...[`${a}.${(b * 256 + c) * 256 + d}`, `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`],
    ...[
      address.replaceAll('.', '。'),
      address.replaceAll('.', '%2e'),
      address.replace(/\d/g, (one) => '⓪①②③④⑤⑥⑦⑧⑨'[Number(one)] ?? ''),
    ],
    ...[`[::ffff:${address}]`, `[::${high}:${low}]`, `[64:ff9b::${high}:${low}]`, `[2002:${high}:${low}::]`],
    `[2001:0:${high}:${low}::1]`,
  ];
}

const LITERALS = [
  ...INSIDE.flatMap(spellings),
  ...[
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[fe80::1]',
    '[febf::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fec0::1]',
  ],
  ...[
    '[64:ff9b:1::7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[ff02::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
  ],
  ...['[4000::1]', '[2001:2::1]', '[2001:20::1]'],
];

/** What their names resolve to at the first and at each further attempt. */
const NAMES: [name: string, answers: string[][]][] = [
  ...INSIDE.map((address): [string, string[][]] => [
    `at-${address.replaceAll('.', '-')}.example`,
    [[address]],
  ]),
  ...['::1', 'fe80::1', 'fd00::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '2002:7f00:1::'].map(
    (address, index): [string, string[][]] => [`six-${index}.example`, [[address]]],
  ),
  ['azure-by-nat64.example', [['64:ff9b::a83f:8110']]],
  ['own-nat64.example', [['64:ff9b:1::5db8:d822']]],
  ['mixed-nat64.example', [['64:ff9b::5db8:d822', '64:ff9b::7f00:1']]],
  ['localhost', [['127.0.0.1', '::1']]],
  ['localhost.', [['127.0.0.1']]],
  ['LOCALHOST', [['127.0.0.1']]],
  ['app.localhost', [['127.0.0.1']]],
  ['metadata.google.internal', [['169.254.169.254']]],
  ['kubernetes.default.svc', [['10.96.0.1']]],
  ['127.0.0.1.nip.io', [['127.0.0.1']]],
  ['mixed.example', [[PUBLIC, '127.0.0.1']]],
  ['mixed-six.example', [[PUBLIC, '::1']]],
  ['ⓛocalhost', [['127.0.0.1']]],
];

const OTHERS: [address: string, refusal: Refusal][] = [
  ...['http', 'ftp', 'file', 'gopher', 'ws', 'data', 'javascript', 'blob'].map(
    (scheme): [string, Refusal] => [`${scheme}://hooks.example/${SECRET}`, 'scheme'],
  ),
  ['http://127.0.0.1/', 'inside'],
  ...['localhost', 'hooks.localhost.', 'metadata.google.internal', 'printer.local'].map(
    (name): [string, Refusal] => [`http://${name}:80/`, 'inside'],
  ),
  ...[80, 8443, 22, 25, 5432, 6379, 9200, 65_535].map((one): [string, Refusal] => [
    `https://hooks.example:${one}/${SECRET}`,
    'port',
  ]),
  ['https://user@hooks.example/', 'credentials'],
  ['https://user:word@hooks.example/', 'credentials'],
  ['https://:word@hooks.example/', 'credentials'],
  ['https://hooks.example@127.0.0.1/', 'credentials'],
  ['https://127.0.0.1:443@hooks.example/', 'credentials'],
  ['https://hooks.slack.com%2f@10.0.0.1/', 'credentials'],
  ...[
    '',
    'hooks.example/x',
    '//127.0.0.1/',
    'https://',
    'https://[fe80::1%25eth0]/',
    'https://[::1%lo]/',
    'https://1.2.3.4.5/',
  ].map((one): [string, Refusal] => [one, 'text']),
  ['https://[::ffff:7f00:1/', 'text'],
  ['https://127.0.0.1:99999/', 'text'],
  ['https://0x100000000/', 'text'],
  [`https://hooks.example/${'x'.repeat(2_000)}`, 'text'],
  // These are the listener itself.
  ['https://127.0.0.1\\@hooks.example/', 'inside'],
  ['https:127.0.0.1', 'inside'],
  ['https:/\\/127.1/', 'inside'],
  [' https://127.0.0.1/ ', 'inside'],
  ['https://127.0.\n0.1/', 'inside'],
];

describe('[CHAN-03] nothing inside a network is called', () => {
  test('hostile addresses are refused with one clear message, and no socket tries to connect', async () => {
    const answers = new Map(
      NAMES.map(([name, own]) => [URL.parse(`https://${name}/`)?.hostname, turns(...own)]),
    );
    const resolve: Resolve = (name) => (answers.get(name) ?? turns([PUBLIC]))(name);
    outside = createOutsideHttp({ allowed: [], resolve });
    const inside = [...LITERALS, ...NAMES.map(([name]) => name)].map((host): [string, Refusal] => [
      `https://${host}/${SECRET}`,
      'inside',
    ]);
    const hostile = [...inside, ...OTHERS];
    expect(new Set(hostile.map(([address]) => address)).size).toBeGreaterThan(250);
    const results = await Promise.all(
      hostile.map(async ([address]) => [address, await post(address)] as const),
    );
    const expected = hostile.map(([address, refusal]) => [
      address,
      {
        ...{ ok: false, error: `refused: ${refusal}`, copy: REFUSALS[refusal] },
        // A name server may say something else later.
        isRefused: expect.any(Boolean) as boolean,
      },
    ]);
    expect(results).toEqual(expected);
    expect([attempts, arrived]).toEqual([[], 0]);
  });

  test('the connection itself refuses each of these addresses once more', async () => {
    const http = createHttp({ connect: guardedConnector([], turns(['127.0.0.1'])) });
    const urls = LITERALS.flatMap((host) => URL.parse(`https://${host}/`) ?? []);
    expect(urls).toHaveLength(LITERALS.length);
    const results = await Promise.all(urls.map((url) => http.send({ method: 'POST', url })));
    expect(new Set(results.map((one) => (one.ok ? '' : one.code)))).toEqual(new Set(['ERR_INSIDE_ADDRESS']));
    expect([attempts, arrived]).toEqual([[], 0]);
    await http.close();
  });

  test('a name that moves inside between the check and the call is resolved once, and refused', async () => {
    const resolve = vi.fn(turns(['127.0.0.1']));
    outside = createOutsideHttp({ allowed: [], resolve });
    expect(checkAddress('https://hooks.example/', [])).toMatchObject({ ok: true });
    expect(await post('https://hooks.example/')).toMatchObject({ copy: REFUSALS.inside, isRefused: false });
    expect(resolve).toHaveBeenCalledTimes(1);
    expect([attempts, arrived]).toEqual([[], 0]);
  });

  test('what is connected is what was checked: a second answer of the name is not asked for', async () => {
    // Public by its number, and assigned to no network.
    const nowhere = '3ffe::1';
    const resolve = vi.fn(turns([nowhere], ['127.0.0.1']));
    outside = createOutsideHttp({ allowed: [], resolve });
    const end = Object.assign(new Error(), { code: 'ENETUNREACH' });
    meddle = (socket) => void socket.on('connectionAttempt', () => setImmediate(() => socket.destroy(end)));
    expect(await post('https://hooks.example/')).toMatchObject({ ok: false, isRefused: false });
    expect(await post('https://hooks.example/')).toMatchObject({ copy: REFUSALS.inside });
    expect(attempts).toEqual([`${nowhere}:443`]);
    expect(resolve).toHaveBeenCalledTimes(2);
  });
});

describe('[CHAN-03] the connection', () => {
  const roots = tls.getCACertificates('default');
  let secure: Server;

  beforeEach(async () => {
    tls.setDefaultCACertificates([...roots, CERTIFICATE]);
    secure = createTlsServer({ key: KEY, cert: CERTIFICATE }, counted);
    await listen(secure);
  });
  afterEach(async () => {
    tls.setDefaultCACertificates(roots);
    await new Promise((resolve) => secure.close(resolve));
  });

  /** The network leads every connection of TLS to the local server, whatever was asked for. */
  const divert = (): void => {
    instead = { host: '127.0.0.1', port: (secure.address() as AddressInfo).port, lookup: undefined };
  };

  test('a socket that is connected inside gets no byte of the request', async () => {
    outside = createOutsideHttp({ allowed: [], resolve: turns([PUBLIC]) });
    divert();
    expect(await post('https://hooks.example/')).toMatchObject({ ok: false, copy: REFUSALS.inside });
    expect([attempts.length, requests]).toEqual([1, 0]);
  });

  test('the name of the certificate is checked', async () => {
    const { port: at } = secure.address() as AddressInfo;
    outside = createOutsideHttp({
      allowed: [`hooks.example:${at}`, `other.example:${at}`],
      resolve: turns([PUBLIC]),
    });
    divert();
    expect(await post(`https://hooks.example:${at}/`)).toMatchObject({ ok: true, status: 200 });
    expect(await post(`https://other.example:${at}/`)).toMatchObject({
      ok: false,
      copy: expect.stringContaining('certificate') as string,
    });
    expect(requests).toBe(1);
  });
});

describe('an operator’s exception', () => {
  test('is one host and port, also with http; each attempt has a connection of its own', async () => {
    outside = createOutsideHttp({ allowed: [`127.0.0.1:${port}`] });
    for (let call = 0; call < 2; call += 1)
      expect(await post(`http://127.0.0.1:${port}/${SECRET}`)).toMatchObject({
        ok: true,
        status: 200,
        body: 'reached',
      });
    expect([attempts.length, arrived]).toEqual([2, 2]);
    for (const other of [`http://127.0.0.1:${port + 1}/`, `http://localhost:${port}/`, 'http://127.0.0.1/'])
      expect(await post(other)).toMatchObject({ ok: false, isRefused: true });
    expect(await post(`http://me:word@127.0.0.1:${port}/`)).toMatchObject({ copy: REFUSALS.credentials });
    expect(arrived).toBe(2);
  });

  test('[CHAN-03] a redirect from there is a failure, and not followed', async () => {
    const statuses = [301, 302, 303, 307, 308];
    const redirecting = createServer((_request, response) => {
      response.writeHead(statuses.shift() ?? 500, { location: `http://127.0.0.1:${port}/` }).end();
    });
    const from = await listen(redirecting);
    outside = createOutsideHttp({ allowed: [`127.0.0.1:${from}`] });
    for (const status of [...statuses])
      expect(await post(`http://127.0.0.1:${from}/`)).toMatchObject({ ok: true, status });
    expect(arrived).toBe(0);
    await new Promise((resolve) => redirecting.close(resolve));
  });

  test('[CHAN-02] the status of an answer of more than 64 kB counts, and no more is read', async () => {
    respond = (_request, response) => {
      response.statusCode = 202;
      // It never ends.
      response.write('x'.repeat(65_537));
    };
    outside = createOutsideHttp({ allowed: [`127.0.0.1:${port}`] });
    const closed = new Promise((resolve) => server.on('connection', (socket) => socket.on('close', resolve)));
    const result = await post(`http://127.0.0.1:${port}/${SECRET}`);
    expect(result).toMatchObject({ ok: true, status: 202, body: 'x'.repeat(65_536) });
    await closed;
  });

  test('no answer is a failure that names no part of the address', async () => {
    outside = createOutsideHttp({ allowed: ['127.0.0.1:1'] });
    const none = await post(`http://127.0.0.1:1/${SECRET}`);
    expect(none).toMatchObject({ ok: false, isRefused: false, copy: 'The connection failed.' });
    expect(JSON.stringify(none)).not.toMatch(/127\.0|of-the-url/);
  });

  test('[CHAN-02] an answer that takes more than 15 seconds is a failure', async () => {
    respond = (_request, response) => void response.write('on');
    outside = createOutsideHttp({ allowed: [`127.0.0.1:${port}`] });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const call = post(`http://127.0.0.1:${port}/`);
    while (requests === 0) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(OUTSIDE_TIMEOUT_MS);
    vi.useRealTimers();
    expect(await call).toMatchObject({ ok: false, copy: 'It didn’t answer within 15 seconds.' });
  });

  test('a name that does not exist', async () => {
    const unknown = Object.assign(new Error('queryA ENOTFOUND hooks.example'), { code: 'ENOTFOUND' });
    outside = createOutsideHttp({ allowed: [], resolve: () => Promise.reject(unknown) });
    const result = await post('https://hooks.example/');
    expect(result).toMatchObject({ ok: false, isRefused: false, copy: 'There is no server of this name.' });
    expect(JSON.stringify(result)).not.toContain('hooks.example');
  });
});

test.each([
  ...[PUBLIC, '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1'],
  ...['64:ff9b::5db8:d822', '64:ff9b::1.1.1.1'],
])('%s is public', (address) => expect(isOutside(address)).toBe(true));

test.each([
  ['[fd00::5]', '', 'http:', '[fd00::5]:80'],
  ['fd00::5', '8080', 'http:', '[fd00::5]:8080'],
  ['hooks.example', '', 'https:', 'hooks.example:443'],
])('host and port of %s, %s, %s', (hostname, given, protocol, expected) => {
  expect(hostAndPort({ hostname, port: given, protocol })).toBe(expected);
});
