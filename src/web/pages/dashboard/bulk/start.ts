import type { QueryClient } from '@tanstack/react-query';
import type { Campaign, UserStatus } from '#contract/shapes.ts';
import { keys, readListAgain, settingAfter, writeIntoList } from '../../../api/queries.ts';
import type { ResumeFailures } from '../resume-now/turn-off-and-resume.ts';
import { createResumer } from '../resume-now/turn-off-and-resume.ts';
import type { BulkAction } from './actions.ts';
import { isManual } from './actions.ts';
import type { CampaignCalls } from './campaign-calls.ts';
import { campaignCalls } from './campaign-calls.ts';
import type { Failure, Progress } from './run.ts';
import { runBulk } from './run.ts';
import { guardSession } from './session-guard.ts';
import type { BulkRun } from './state.ts';
import { readBulkRun, showBulkRun } from './state.ts';
import { byEffect } from './targets.ts';

/** The interval at which confirmed changes are written into the list. */
const WRITE_EVERY_MS = 500;

let stop = new AbortController();
let aborter = new AbortController();

/** Starts no new calls; pressed again, it also aborts the calls in progress. */
export function stopBulk(): void {
  if (stop.signal.aborted) aborter.abort();
  stop.abort();
  const run = readBulkRun();
  if (run?.state === 'running') showBulkRun({ ...run, state: 'stopping' });
}

export type BulkOrder = Pick<BulkRun, 'account' | 'action' | 'targets' | 'resume' | 'isUndo'>;

/** Only one change runs at a time. */
export async function startBulk(client: QueryClient, ordered: BulkOrder): Promise<void> {
  if ((readBulkRun()?.state ?? 'ended') !== 'ended') return;
  const { account, action, resume } = ordered;
  const known = client.getQueryData<Campaign[]>(keys.campaigns(account.id)) ?? [];
  const targets = stillToDo(known, ordered);
  const order = { ...ordered, targets, already: ordered.targets.length - targets.length };
  [stop, aborter] = [new AbortController(), new AbortController()];
  const session = guardSession(() => showBulkRun(null));
  const list = listWriter(client, account.id);
  const calls = noting(campaignCalls(session, aborter.signal), account.id, list.note);
  const resumer = createResumer(
    { turnOff: ({ id }) => calls.turn(id, false), resume: ({ id }) => calls.act(id, 'resume') },
    client.getQueryData<UserStatus>(keys.userStatus)?.heldAccounts,
  );
  showBulkRun({ ...order, ...STARTED, left: targets });
  let progress: Progress<Campaign> = { done: [], failed: [] };
  const obstacle = await runBulk({
    targets,
    signal: AbortSignal.any([stop.signal, session.signal]),
    // For writes on Meta the server takes one campaign of an ad account at a time.
    ...((isManual(action) || resume.size > 0) && { concurrency: 1 }),
    send: ({ id, name }) =>
      resume.has(id) ? resumer.send({ accountId: account.id, id, name }) : calls.send(id, action),
    onProgress: (next) => {
      progress = next;
      const run = readBulkRun();
      if (run !== null) showBulkRun({ ...run, done: next.done.length, failed: next.failed });
    },
  });
  await list.finish();
  session.release();
  const run = readBulkRun();
  if (run !== null) showBulkRun({ ...run, ...resultOf(targets, progress, resumer.failures), obstacle });
}

const STARTED = {
  state: 'running' as const,
  ...{ done: 0, changed: [], failed: [], stillPaused: [], unknown: [], obstacle: null },
};

/** A campaign that was not resumed has SmartPause off, and counts as done. */
function resultOf(targets: readonly Campaign[], progress: Progress<Campaign>, failures: ResumeFailures) {
  const idsOf = (failed: readonly Failure<{ id: string }>[]) => failed.map(({ target }) => target.id);
  const done = new Set([...progress.done.map(({ id }) => id), ...idsOf(failures.stillPaused)]);
  const unknown = new Set(idsOf(failures.unknown));
  const isLeft = ({ id }: Campaign) => !done.has(id) && !unknown.has(id);
  const changed = targets.filter(({ id }) => done.has(id));
  return {
    ...failures,
    state: 'ended' as const,
    done: changed.length,
    changed,
    left: targets.filter(isLeft),
    failed: progress.failed.filter(({ target }) => isLeft(target)),
  };
}

/** The calls of one account, which note each confirmed change for the list. */
function noting(
  calls: CampaignCalls,
  accountId: string,
  note: (id: string, change: Partial<Campaign>) => void,
) {
  const turn = async (id: string, enabled: boolean) => {
    const answer = await calls.setSmartPause(accountId, id, enabled);
    note(id, { smartPauseSetting: settingAfter(answer, enabled) });
  };
  const act = async (id: string, action: 'pause' | 'resume') => {
    const { status } = await calls[action](id);
    note(id, { status });
  };
  const send = (id: string, action: BulkAction) =>
    isManual(action) ? act(id, action) : turn(id, action === 'on');
  return { turn, act, send };
}

/** Skips campaigns that changed while the confirmation was open, or in a call whose response was lost. */
function stillToDo(known: readonly Campaign[], { action, targets }: BulkOrder): readonly Campaign[] {
  const now = new Map(known.map((campaign) => [campaign.id, campaign]));
  return byEffect(
    targets.map((target) => now.get(target.id) ?? target),
    action,
  ).change;
}

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
      noted.set(id, { ...noted.get(id), ...change });
      timer ??= setTimeout(() => void write(), WRITE_EVERY_MS);
    },
    finish: async () => {
      clearTimeout(timer);
      await write();
      void readListAgain(client, accountId);
    },
  };
}
