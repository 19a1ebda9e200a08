import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { figure } from '#core/labels.ts';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import type { Target } from '../changes/actions.ts';
import { canTurn } from '../changes/actions.ts';
import { useChanges } from '../changes/change-provider.tsx';
import classes from './list.module.css';

interface BulkBarProps {
  selected: readonly Target[];
  /** Selected, but hidden by the filters. */
  hidden: number;
  onClear: () => void;
}

/** Sticks to the window's lower edge: SmartPause on or off for the selected campaigns. */
export function BulkBar({ selected, hidden, onClear }: BulkBarProps) {
  const { allowed, change } = useChanges();
  if (selected.length === 0) return null;
  const turnable = (to: 'on' | 'off') => selected.filter((target) => canTurn(target, to));
  const button = (to: 'on' | 'off', other: 'on' | 'off') => {
    const turned = turnable(to);
    if (turned.length === 0 && (to === 'off' || turnable(other).length > 0)) return null;
    return (
      <Button
        ref={leaveFocusToList}
        size="sm"
        variant={to === 'on' ? 'filled' : 'default'}
        disabled={turned.length === 0 || !allowed.includes(to)}
        onClick={() => change({ action: to, targets: turned, onStart: onClear })}
      >
        <span>
          Turn <VisuallyHidden component="span">SmartPause </VisuallyHidden>
          {to} ({figure(turned.length)})
        </span>
      </Button>
    );
  };
  return (
    <Group
      component="section"
      className={classes.bar}
      gap="xs"
      px={{ base: 16, sm: 'lg' }}
      py={{ base: 8, sm: 12 }}
      aria-label="Selected campaigns"
    >
      <Text fz="sm" role="status" className="figures">
        <b>{figure(selected.length)} selected</b>
        {hidden > 0 && `, ${figure(hidden)} of them not shown`}
      </Text>
      <Button size="sm" variant="subtle" me="auto" onClick={onClear}>
        Clear selection
      </Button>
      {button('on', 'off')}
      {button('off', 'on')}
    </Group>
  );
}
