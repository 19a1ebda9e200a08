import type { ReactNode } from 'react';
import classes from './facts.module.css';

export type Fact = readonly [label: string, value: ReactNode];

interface FactsProps {
  facts: readonly Fact[];
  /** The narrowest column in px. */
  width?: number;
}

/** Labels with their values: as many columns as fit, so lists of the same facts align. */
export function Facts({ facts, width = 200 }: FactsProps) {
  const gridTemplateColumns = `repeat(auto-fill, minmax(min(100%, ${width}px), 1fr))`;
  return (
    <dl className={`${classes.facts ?? ''} figures`} style={{ gridTemplateColumns }}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
