import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import type { FaultInput } from '../../../simulators/kit/faults.ts';
import { sendTo, useMailbox } from '../../../simulators/mailbox/post.fixture.ts';

const box = useMailbox();
const fault = (body: FaultInput): Promise<number> => box.control.fault(body);
const subjects = async (): Promise<string[]> => (await box.messages()).map(({ subject }) => subject);

const STAGES = ['greeting', 'mail', 'rcpt', 'data'];
const REFUSALS = [
  [{ kind: 'greeting' }, { code: 'EPROTOCOL', command: 'CONN', responseCode: 421 }],
  [
    { kind: 'greeting', code: 554 },
    { code: 'EPROTOCOL', command: 'CONN', responseCode: 554 },
  ],
  [
    { kind: 'refuse', stage: 'mail' },
    { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 451 },
  ],
  [
    { kind: 'refuse', stage: 'rcpt', code: 550, message: 'No such mailbox' },
    { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550, response: '550 No such mailbox' },
  ],
  [
    { kind: 'refuse', stage: 'data', code: 452 },
    { code: 'EMESSAGE', command: 'DATA', responseCode: 452 },
  ],
  [{ kind: 'refuse' }, { code: 'EMESSAGE', command: 'DATA', responseCode: 451 }],
] as const;

describe('rejects', () => {
  test.each(REFUSALS)('%j', async (body, error) => {
    await fault(body);
    await expect(box.send()).rejects.toMatchObject(error);
    expect(await subjects()).toEqual([]);
    await box.send({ subject: 'the next' });
    expect(await subjects()).toEqual(['the next']);
  });
});

describe('cuts the connection', () => {
  test.each([{ kind: 'refuse_connection' }, ...STAGES.map((stage) => ({ kind: 'drop', stage }))])(
    'before the message is kept: %j',
    async (body) => {
      await fault(body);
      await expect(box.send()).rejects.toMatchObject({ code: 'ECONNECTION' });
      expect(await subjects()).toEqual([]);
      await box.send();
      expect(await subjects()).toHaveLength(1);
    },
  );

  test('although the message is kept', async () => {
    await fault({ kind: 'drop_after' });
    const sent = box.send({ messageId: '<twin@example.test>' });
    await expect(sent).rejects.toMatchObject({ code: 'ECONNECTION' });
    expect(await subjects()).toHaveLength(1);
    await box.send({ messageId: '<twin@example.test>' });
    expect((await box.messages()).map(({ messageId }) => messageId)).toEqual([
      '<twin@example.test>',
      '<twin@example.test>',
    ]);
  });
});

describe('stalls', () => {
  test.each(STAGES)('at %s until it is released', async (stage) => {
    const id = await fault({ kind: 'stall', stage });
    const sent = box.send();
    await waitFor('the session to be parked', async () => (await box.control.parked(id)) === 1);
    expect(await subjects()).toEqual([]);
    await box.control.post(`/faults/${id}/release`);
    expect((await sent).response).toMatch(/^250/);
    expect(await subjects()).toEqual(['Paused']);
  });

  test.each(STAGES)('at %s until the client disconnects; no message is kept', async (stage) => {
    const id = await fault({ kind: 'stall', stage });
    await expect(box.send({}, 500)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await waitFor('no session to be parked', async () => (await box.control.parked(id)) === 0);
    await box.control.ask('DELETE', `/faults/${id}`);
    await box.send({ subject: 'the next' });
    expect(await subjects()).toEqual(['the next']);
  });

  test('and a reset cuts parked sessions', async () => {
    const id = await fault({ kind: 'stall' });
    const cut = expect(box.send()).rejects.toMatchObject({ code: 'ECONNECTION' });
    await waitFor('the session to be parked', async () => (await box.control.parked(id)) === 1);
    await box.control.post('/reset');
    await cut;
    expect(await subjects()).toEqual([]);
  });
});

describe('is slow', () => {
  test('and then accepts the message', async () => {
    await fault({ kind: 'latency', ms: 600 });
    const startedAt = performance.now();
    await box.send();
    expect(performance.now() - startedAt).toBeGreaterThan(595);
    expect(await subjects()).toHaveLength(1);
  });

  test('and then drops the message of a disconnected client', async () => {
    await fault({ kind: 'latency', ms: 600 });
    await fault({ kind: 'latency', ms: 600, path: '^bo@' });
    await expect(box.send({ subject: 'too late' }, 300)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    // The same latency, sent later: when this message arrives, the first one's time is over.
    await box.send({ to: 'bo@example.test', subject: 'in time' });
    expect(await subjects()).toEqual(['in time']);
  });
});

describe('matches', () => {
  test('a recipient', async () => {
    await fault({ kind: 'refuse', stage: 'rcpt', code: 550, path: '^bo@example\\.test$', times: 0 });
    const { accepted, rejected } = await box.send({ to: ['ann@example.test', 'bo@example.test'] });
    expect([accepted, rejected]).toEqual([['ann@example.test'], ['bo@example.test']]);
    expect((await box.messages()).map(({ to }) => to)).toEqual([['ann@example.test']]);
  });

  test('any recipient of a message, only after all are known', async () => {
    await fault({ kind: 'refuse', match: { path: '^bo@' }, times: 0 });
    await box.send({ to: 'ann@example.test' });
    const both = box.send({ to: ['ann@example.test', 'bo@example.test'] });
    await expect(both).rejects.toMatchObject({ command: 'DATA', responseCode: 451 });
    expect(await subjects()).toHaveLength(1);
  });

  test('a sender', async () => {
    await fault({ kind: 'refuse', stage: 'mail', path: '^other@', times: 0 });
    await box.send();
    const sent = box.send({ from: 'other@example.test' });
    await expect(sent).rejects.toMatchObject({ command: 'MAIL FROM' });
  });

  test('a login', async () => {
    await fault({ kind: 'refuse', user: 'robot', times: 0 });
    await box.send();
    await expect(sendTo(box.smtpUrl('robot:x@'))).rejects.toMatchObject({ command: 'DATA' });
    await sendTo(box.smtpUrl('other:x@'));
    expect(await subjects()).toHaveLength(2);
  });
});

test.each([
  [{ kind: 'html' }, 'kind must be one of refuse_connection'],
  [{ kind: 'refuse', code: 250 }, 'code must be from 400 to 599'],
  [{ kind: 'refuse', stage: 'quit' }, 'stage'],
])('an invalid order is rejected: %j', async (body, message) => {
  await expect(fault(body)).rejects.toThrow(message);
});
