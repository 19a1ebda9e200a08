import { Box, Group, Input, Slider, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { THRESHOLD_WORDS } from '#core/labels.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { THRESHOLDS } from '#core/smartpause/level.ts';
import { Muted } from '../../components/muted.ts';
import classes from './settings.module.css';

export const MEANINGS: Record<Threshold, string> = {
  LOW: 'Low: pause when Meta reports low, medium or high disruptions. Most protective.',
  MEDIUM: 'Medium: pause when Meta reports medium or high disruptions.',
  HIGH: 'High: pause only when Meta reports high disruptions. Smaller ones are ignored.',
};

/** The effect of a choice, below it. */
export const Effect = Text.withProps({ className: 'figures', fz: 'sm' });

/** Narrow, so that neighbours do not overlap on a phone. */
const MARK_LABEL = {
  width: 'min(170px, 28vw)',
  color: 'var(--mantine-color-text)',
  textAlign: 'center',
  whiteSpace: 'normal',
} as const;

interface ThresholdSliderProps {
  /** The title above it says what it is. */
  isTitled: boolean;
  value: Threshold;
  locked: boolean;
  onChange: (threshold: Threshold) => void;
  /** What each would have done, below its mark. */
  noteOf: (threshold: Threshold) => ReactNode;
  /** More about the chosen one. */
  children: ReactNode;
}

export function ThresholdSlider(props: ThresholdSliderProps) {
  const { isTitled, value, locked, onChange, noteOf, children } = props;
  const at = (position: number) => THRESHOLDS[position] ?? value;
  return (
    <Input.Wrapper
      label={!isTitled && 'Outage threshold'}
      labelElement="div"
      description={locked && 'Threshold adjustments are disabled during Meta outages'}
    >
      <Box px={20} pt={locked ? 'xs' : isTitled ? 0 : 4} pb={{ base: 76, sm: 60 }}>
        <Group justify="space-between" mx={-20} mb="xs" gap="xs" aria-hidden="true">
          <Muted span>Pauses more often</Muted>
          <Muted span>Only the worst</Muted>
        </Group>
        <Slider
          max={THRESHOLDS.length - 1}
          marks={THRESHOLDS.map((threshold, position) => ({
            value: position,
            label: (
              <>
                {THRESHOLD_WORDS[threshold]}
                {noteOf(threshold)}
              </>
            ),
          }))}
          value={THRESHOLDS.indexOf(value)}
          onChange={(position) => onChange(at(position))}
          disabled={locked}
          label={null}
          // The fill is the protection: a low threshold has most.
          inverted
          thumbLabel="Outage threshold"
          thumbValueText={(position) => THRESHOLD_WORDS[at(position)]}
          thumbProps={{ 'aria-disabled': locked }}
          thumbSize={24}
          {...(locked && { color: 'gray' })}
          classNames={{ root: classes.slider, track: classes.track, bar: classes.bar, mark: classes.mark }}
          styles={{ thumb: { display: 'flex' }, markLabel: MARK_LABEL }}
        />
      </Box>
      <Effect>{MEANINGS[value]}</Effect>
      {children}
    </Input.Wrapper>
  );
}
