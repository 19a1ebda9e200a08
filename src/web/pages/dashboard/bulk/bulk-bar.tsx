import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useRef, useState } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import type { Acts } from '../campaign-row.tsx';
import classes from './bulk.module.css';
import { BulkReport } from './bulk-report.tsx';
import { startBulk } from './start.ts';
import { dismissBulk, useBulkRun } from './state.ts';
import { mayTurn, targetsOf } from './targets.ts';
import { figure, turning } from './words.ts';
import { lazyPart } from '../../../lazy-part.ts';

const Confirm = lazyPart(async () => (await import('./confirm.tsx')).Confirm);

export interface BulkBarProps {
  account: AdAccount;
  acts: Acts;
  selected: readonly Campaign[];
  /** Selected, but filtered away. */
  unseen: number;
  /** The list as it is ordered now. */
  listed: readonly Campaign[];
  onClear: () => void;
}

/** At the lower edge of the window: what can be done with those selected, and how far the last such change has come. */
export function BulkBar({ account, acts, selected, unseen, listed, onClear }: BulkBarProps) {
  const client = useQueryClient();
  const run = useBulkRun();
  const bar = useRef<HTMLElement>(null);
  const [asked, setAsked] = useState<{ enabled: boolean } | null>(null);
  const isBusy = run !== null && run.state !== 'ended';

  const begin = (ordered: { account: AdAccount; enabled: boolean; targets: readonly Campaign[] }) => {
    const order = new Map(listed.map(({ id }, index) => [id, index]));
    void startBulk(client, { ...ordered, order });
    bar.current?.focus();
  };
  return (
    <section className={classes.bar} aria-label="Selected campaigns" ref={bar} tabIndex={-1}>
      {run !== null && (
        <BulkReport
          run={run}
          onRetry={() => begin({ account: run.account, enabled: run.enabled, targets: run.left })}
        />
      )}
      {selected.length > 0 && (
        <div className={classes.selected}>
          <Text fz="sm" role="status" className="figures">
            <b>{figure(selected.length)} selected</b>
            {unseen > 0 && `, ${figure(unseen)} of them not shown`}
          </Text>
          <Button size="sm" variant="subtle" className={classes.clear} onClick={onClear}>
            Clear selection
          </Button>
          <div className={classes.acts}>
            {[true, false]
              .filter((enabled) => mayTurn(acts, enabled))
              .map((enabled) => (
                <Button
                  key={turning(enabled)}
                  size="sm"
                  variant={enabled ? 'filled' : 'default'}
                  disabled={isBusy || targetsOf(selected, enabled).length === 0}
                  onClick={() => setAsked({ enabled })}
                >
                  <span>
                    Turn <span className={classes.long}>SmartPause </span>
                    {turning(enabled)} ({figure(targetsOf(selected, enabled).length)})
                  </span>
                </Button>
              ))}
          </div>
        </div>
      )}
      {asked !== null && (
        <Suspense>
          <Confirm
            account={account}
            enabled={asked.enabled}
            targets={targetsOf(selected, asked.enabled)}
            unchanged={selected.length - targetsOf(selected, asked.enabled).length}
            onCancel={() => setAsked(null)}
            onConfirm={() => {
              setAsked(null);
              dismissBulk();
              onClear();
              begin({ account, enabled: asked.enabled, targets: targetsOf(selected, asked.enabled) });
            }}
          />
        </Suspense>
      )}
    </section>
  );
}
