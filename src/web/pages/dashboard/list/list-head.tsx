import { Text } from '@mantine/core';
import type { Ref } from 'react';
import classes from '../dashboard.module.css';
import { figure } from '#core/words.ts';

export interface ListHeadProps {
  shown: number;
  total: number;
  /** How many of those shown are selected; null: there is nothing to select for. */
  selected: number | null;
  ref: Ref<HTMLDivElement>;
  onTickAll: (isTicked: boolean) => void;
}

/** How many there are, and a tick for all of them. */
export function ListHead({ shown, total, selected, ref, onTickAll }: ListHeadProps) {
  const count = shown === total ? figure(total) : `${figure(shown)} of ${figure(total)}`;
  return (
    <div className={classes.head} ref={ref} tabIndex={-1}>
      {selected !== null && shown > 0 && (
        <label className={classes.tick}>
          <input
            type="checkbox"
            ref={(box) => {
              if (box !== null) box.indeterminate = selected > 0 && selected < shown;
            }}
            checked={selected > 0 && selected === shown}
            aria-label={`Select all ${figure(shown)} campaigns`}
            onChange={(event) => onTickAll(event.currentTarget.checked)}
          />
        </label>
      )}
      <Text fz="sm" c="dimmed" role="status" className="figures">
        {count} {total === 1 ? 'campaign' : 'campaigns'}
      </Text>
    </div>
  );
}
