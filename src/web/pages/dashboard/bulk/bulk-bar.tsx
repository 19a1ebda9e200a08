import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useMemo, useRef, useState } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { figure } from '#core/words.ts';
import type { Acts } from '../list/campaign-row.tsx';
import classes from './bulk.module.css';
import { BulkReport } from './bulk-report.tsx';
import type { Question } from './confirm.tsx';
import type { BulkOrder } from './start.ts';
import { startBulk } from './start.ts';
import { dismissBulk, useBulkRun } from './state.ts';
import { byToggleResult, mayTurn } from './targets.ts';
import { useRoomFor } from './use-room-for.ts';
import { turning } from './words.ts';
import { lazyPart } from '../../../browser/lazy-part.ts';

const Confirm = lazyPart(async () => (await import('./confirm.tsx')).Confirm);

export interface BulkBarProps {
  account: AdAccount;
  acts: Acts;
  selected: readonly Campaign[];
  /** What the filters leave of the list. */
  shown: readonly Campaign[];
  onClear: () => void;
  /** What had the focus is going away. */
  onLeave: () => void;
}

/** At the lower edge of the window: what can be done with those selected, and how far the last such change has come. */
export function BulkBar({ account, acts, selected, shown, onClear, onLeave }: BulkBarProps) {
  const client = useQueryClient();
  const run = useBulkRun();
  const bar = useRef<HTMLElement>(null);
  useRoomFor(bar);
  const [asked, setAsked] = useState<Question | null>(null);
  const isBusy = run !== null && run.state !== 'ended';

  const seen = useMemo(() => new Set(shown.map(({ id }) => id)), [shown]);
  // The question stays the same while it is read, even if the list changes.
  const ask = (enabled: boolean) => setAsked(questionOf(selected, enabled, seen));
  const begin = (ordered: BulkOrder) => {
    void startBulk(client, ordered);
    bar.current?.focus();
  };
  return (
    <section className={classes.bar} aria-label="Selected campaigns" ref={bar} tabIndex={-1}>
      {run !== null && (
        <BulkReport
          run={run}
          onRetry={
            mayTurn(acts, run.enabled)
              ? () => begin({ account: run.account, enabled: run.enabled, targets: run.left })
              : null
          }
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
          <TurnButtons acts={acts} selected={selected} isBusy={isBusy} onTurn={ask} />
        </div>
      )}
      {asked !== null && (
        <Suspense>
          <Confirm
            account={account}
            {...asked}
            onCancel={() => setAsked(null)}
            onConfirm={() => {
              setAsked(null);
              dismissBulk();
              onClear();
              begin({ account, enabled: asked.enabled, targets: asked.targets });
            }}
          />
        </Suspense>
      )}
    </section>
  );
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

function questionOf(selected: readonly Campaign[], enabled: boolean, seen: ReadonlySet<string>): Question {
  const { change: targets, ...others } = byToggleResult(selected, enabled);
  return {
    enabled,
    targets,
    unchanged: others.unchanged.length,
    notAllowed: others.not_allowed.length,
    ended: others.ended.length,
    unseen: unseenOf(targets, seen),
  };
}

interface TurnButtonsProps {
  acts: Acts;
  selected: readonly Campaign[];
  isBusy: boolean;
  onTurn: (enabled: boolean) => void;
}

/** Each with the number of selected campaigns that it would change. */
function TurnButtons({ acts, selected, isBusy, onTurn }: TurnButtonsProps) {
  return (
    <div className={classes.acts}>
      {[true, false]
        .filter((enabled) => mayTurn(acts, enabled))
        .map((enabled) => ({ enabled, count: byToggleResult(selected, enabled).change.length }))
        .map(({ enabled, count }) => (
          <Button
            key={turning(enabled)}
            size="sm"
            variant={enabled ? 'filled' : 'default'}
            disabled={isBusy || count === 0}
            onClick={() => onTurn(enabled)}
          >
            <span>
              Turn <span className={classes.long}>SmartPause </span>
              {turning(enabled)} ({figure(count)})
            </span>
          </Button>
        ))}
    </div>
  );
}
