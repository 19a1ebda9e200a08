import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useMemo, useRef, useState } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { figure } from '#core/labels.ts';
import { usePlatformStatus, useUserStatus } from '../../../api/queries.ts';
import { isHeld } from '../../../text/campaign-view.ts';
import type { AllowedActions } from '../list/use-row-actions.ts';
import { ActionButtons } from './action-buttons.tsx';
import type { BulkAction } from './actions.ts';
import { isAllowed, oppositeOf } from './actions.ts';
import classes from './bulk.module.css';
import { BulkReport } from './bulk-report.tsx';
import type { Question } from './confirm.tsx';
import type { BulkOrder } from './start.ts';
import { startBulk } from './start.ts';
import type { BulkRun } from './state.ts';
import { dismissBulk, useBulkRun } from './state.ts';
import { byEffect } from './targets.ts';
import { useRoomFor } from './use-room-for.ts';
import { lazyPart } from '../../../browser/lazy-part.ts';

const Confirm = lazyPart(async () => (await import('./confirm.tsx')).Confirm);

export interface BulkBarProps {
  account: AdAccount;
  allowed: AllowedActions;
  selected: readonly Campaign[];
  /** The campaigns that pass the filters. */
  shown: readonly Campaign[];
  onClear: () => void;
  /** The focused element is about to disappear. */
  onLeave: () => void;
}

/** Sticks to the window's lower edge: bulk actions, and the progress of the last change. */
export function BulkBar({ account, allowed, selected, shown, onClear, onLeave }: BulkBarProps) {
  const client = useQueryClient();
  const run = useBulkRun();
  const bar = useRef<HTMLElement>(null);
  useRoomFor(bar);
  const isBusy = run !== null && run.state !== 'ended';

  const seen = useMemo(() => new Set(shown.map(({ id }) => id)), [shown]);
  const { asked, isAsking, ask, setAsked, setIsAsking } = useQuestion(selected, seen);
  const begin = (ordered: BulkOrder) => {
    void startBulk(client, ordered);
    bar.current?.focus();
  };
  const undo = run === null ? null : undoOf(run, allowed);
  return (
    <section className={classes.bar} aria-label="Selected campaigns" ref={bar} tabIndex={-1}>
      {run !== null && (
        <BulkReport
          run={run}
          onRetry={isAllowed(allowed, run.action) ? () => begin({ ...run, targets: run.left }) : null}
          onUndo={undo === null ? null : () => begin(undo)}
          onDismiss={() => {
            dismissBulk();
            onLeave();
          }}
        />
      )}
      {selected.length > 0 && (
        <div className={classes.selected}>
          <Selected count={selected.length} unseen={unseenOf(selected, seen)} />
          <Button size="sm" variant="subtle" className={classes.clear} onClick={onClear}>
            Clear selection
          </Button>
          <ActionButtons allowed={allowed} selected={selected} isBusy={isBusy} onAsk={ask} />
        </div>
      )}
      {asked !== null && (
        <Suspense>
          <Confirm
            account={account}
            {...asked}
            opened={isAsking}
            onCancel={() => setIsAsking(false)}
            onClosed={() => setAsked(null)}
            onConfirm={(resume) => {
              setAsked(null);
              dismissBulk();
              onClear();
              const { action, targets, held } = asked;
              begin({ account, action, targets, resume: resume ? held : new Set(), isUndo: false });
            }}
          />
        </Suspense>
      )}
    </section>
  );
}

/** The confirmation stays the same while the list changes. */
function useQuestion(selected: readonly Campaign[], seen: ReadonlySet<string>) {
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  const [asked, setAsked] = useState<Question | null>(null);
  // Stays rendered while it closes, because only then the focus returns.
  const [isAsking, setIsAsking] = useState(false);
  const ask = (action: BulkAction) => {
    const held = selected.filter((campaign) => isHeld(campaign, status, user));
    setAsked(questionOf(selected, action, { seen, held: new Set(held.map(({ id }) => id)) }));
    setIsAsking(true);
  };
  return { asked, isAsking, ask, setAsked, setIsAsking };
}

function Selected({ count, unseen }: { count: number; unseen: number }) {
  return (
    <Text fz="sm" role="status" className="figures">
      <b>{figure(count)} selected</b>
      {unseen > 0 && `, ${figure(unseen)} of them not shown`}
    </Text>
  );
}

function unseenOf(some: readonly Campaign[], seen: ReadonlySet<string>): number {
  return some.filter(({ id }) => !seen.has(id)).length;
}

function questionOf(
  selected: readonly Campaign[],
  action: BulkAction,
  { seen, held }: Record<'seen' | 'held', ReadonlySet<string>>,
): Question {
  const { change: targets, ...skipped } = byEffect(selected, action);
  return {
    action,
    targets,
    held: new Set(targets.filter(({ id }) => held.has(id)).map(({ id }) => id)),
    skipped: {
      unchanged: skipped.unchanged.length,
      smartpause_on: skipped.smartpause_on.length,
      not_allowed: skipped.not_allowed.length,
      ended: skipped.ended.length,
    },
    unseen: unseenOf(targets, seen),
  };
}

/** The opposite action for what was changed; null: there is none, as for a row. */
function undoOf(run: BulkRun, allowed: AllowedActions): BulkOrder | null {
  const action = oppositeOf(run.action);
  if (action === null || run.isUndo || run.done === 0 || !isAllowed(allowed, action)) return null;
  return { ...run, action, targets: run.changed, isUndo: true };
}
