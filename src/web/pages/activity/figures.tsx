import type { OutageSummary } from '#contract/outage-api.ts';
import { figure } from '#core/labels.ts';
import { exactDuration } from '../../text/exact-times.ts';
import classes from './activity.module.css';

/** What happened to the campaigns, in figures. Zeros that say nothing are left out. */
export function Figures({ counts, lastPauseAfterMs }: Pick<OutageSummary, 'counts' | 'lastPauseAfterMs'>) {
  const figures: [label: string, value: string][] = [
    ['Paused', figure(counts.paused)],
    ...(counts.paused > 0 ? [['Resumed', figure(counts.resumed)] as [string, string]] : []),
    ...(counts.stillPaused > 0 ? [['Still paused', figure(counts.stillPaused)] as [string, string]] : []),
    ...(counts.notResumed > 0 ? [['Not resumed', figure(counts.notResumed)] as [string, string]] : []),
    ...(counts.notPaused > 0 ? [['Not paused', figure(counts.notPaused)] as [string, string]] : []),
    ...(lastPauseAfterMs === null
      ? []
      : [['Last pause after', exactDuration(lastPauseAfterMs)] as [string, string]]),
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="figures">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
