import type { QueryClient } from '@tanstack/react-query';
import { peoplesApi } from '#contract/peoples-api.ts';
import type { Campaign } from '#contract/shapes.ts';
import { call } from '../../../api/call.ts';
import { keys, readListAgain, settingAfter, writeIntoList } from '../../../api/queries.ts';
import { onTokenChange, readToken } from '../../../api/token.ts';
import type { Failure } from './run.ts';
import { runBulk } from './run.ts';
import type { BulkRun } from './state.ts';
import { readBulkRun, showBulkRun } from './state.ts';
import { byToggleResult } from './targets.ts';

/** Confirmed changes are written into the list in batches. */
const WRITE_EVERY_MS = 500;

/** For one call; so that a run ends also where one is never answered. */
const PATIENCE_MS = 30_000;

let stop = new AbortController();
let giveUp = new AbortController();

/** Nothing new is begun; pressed again, what is under way is not waited for either. */
export function stopBulk(): void {
  if (stop.signal.aborted) giveUp.abort();
  stop.abort();
  const run = readBulkRun();
  if (run?.state === 'running') showBulkRun({ ...run, state: 'stopping' });
}

export type BulkOrder = Pick<BulkRun, 'account' | 'enabled' | 'targets'>;

/** One at a time: while one is under way nothing else begins. */
export async function startBulk(client: QueryClient, ordered: BulkOrder): Promise<void> {
  if ((readBulkRun()?.state ?? 'ended') !== 'ended') return;
  const { account, enabled } = ordered;
  const known = client.getQueryData<Campaign[]>(keys.campaigns(account.id)) ?? [];
  const targets = stillToDo(known, ordered);
  const told = { account, enabled, targets, already: ordered.targets.length - targets.length };
  stop = new AbortController();
  giveUp = new AbortController();
  const { signal: gaveUp } = giveUp;
  showBulkRun({ ...told, state: 'running', done: 0, failed: [], left: targets, obstacle: null });
  const release = guard(stop);
  const list = listWriter(client, account.id);
  let done: readonly Campaign[] = [];
  let failed: readonly Failure<Campaign>[] = [];
  const obstacle = await runBulk({
    targets,
    signal: stop.signal,
    send: async ({ id }) => {
      const params = { adAccountId: account.id, campaignId: id };
      const signal = AbortSignal.any([gaveUp, AbortSignal.timeout(PATIENCE_MS)]);
      const answer = await call(peoplesApi.setSmartPause, { params, body: { enabled }, signal });
      list.note(id, { smartPauseSetting: settingAfter(answer, enabled) });
    },
    onProgress: (progress) => {
      ({ done, failed } = progress);
      const run = readBulkRun();
      if (run !== null) showBulkRun({ ...run, done: done.length, failed });
    },
  });
  await list.finish();
  release();
  if (readBulkRun() === null) return;
  const changed = new Set(done);
  const left = targets.filter((target) => !changed.has(target));
  showBulkRun({ ...told, state: 'ended', done: done.length, failed, left, obstacle });
}

/** Without those that somebody has changed while the question was open, or that an unheard answer was about. */
function stillToDo(known: readonly Campaign[], { enabled, targets }: BulkOrder): readonly Campaign[] {
  const now = new Map(known.map((campaign) => [campaign.id, campaign]));
  return byToggleResult(
    targets.map((target) => now.get(target.id) ?? target),
    enabled,
  ).change;
}

/** The browser asks before the page is closed; and nobody goes on under a session that is not theirs. */
function guard(stopper: AbortController): () => void {
  const token = readToken();
  const ask = (event: BeforeUnloadEvent) => {
    // Who has just revoked the access or deleted the account is led away, and there is nothing left to wait for.
    if (readToken() === token) event.preventDefault();
  };
  window.addEventListener('beforeunload', ask);
  const release = onTokenChange(() => {
    if (readToken() === token) return;
    window.removeEventListener('beforeunload', ask);
    stopper.abort();
    giveUp.abort();
    showBulkRun(null);
  });
  return () => {
    window.removeEventListener('beforeunload', ask);
    release();
  };
}

/** What the server has confirmed goes into the list. */
function listWriter(client: QueryClient, accountId: string) {
  let noted = new Map<string, Partial<Campaign>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = async (): Promise<void> => {
    timer = undefined;
    const changes = noted;
    noted = new Map();
    await writeIntoList(client, accountId, changes);
  };
  return {
    note: (id: string, change: Partial<Campaign>) => {
      noted.set(id, change);
      timer ??= setTimeout(() => void write(), WRITE_EVERY_MS);
    },
    finish: async () => {
      clearTimeout(timer);
      await write();
      readListAgain(client, accountId);
    },
  };
}
