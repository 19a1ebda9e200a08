import { Alert, Box, Group, Input, Slider, Text } from '@mantine/core';
import type { Threshold } from '#core/smartpause/level.ts';
import { THRESHOLDS } from '#core/smartpause/level.ts';
import { Muted } from '../../components/muted.ts';

export const THRESHOLD_WORDS: Record<Threshold, string> = {
  LOW: 'Low',
  MEDIUM: 'Medium (recommended)',
  HIGH: 'High',
};

const MEANINGS: Record<Threshold, string> = {
  LOW: 'Low: pause when Meta reports low, medium or high disruptions. Most protective.',
  MEDIUM: 'Medium: pause when Meta reports medium or high disruptions.',
  HIGH: 'High: pause only when Meta reports high disruptions. Smaller ones are ignored.',
};

/** The effect of a choice, beside it. */
export const Effect = Text.withProps({
  className: 'figures',
  fz: 'sm',
  px: 'md',
  py: 'xs',
  bdrs: 'md',
  bg: 'var(--mantine-color-default-hover)',
});

/** Narrow, so that neighbours do not overlap on a phone. */
const MARK_LABEL = {
  width: 'min(170px, 28vw)',
  color: 'var(--mantine-color-text)',
  textAlign: 'center',
  whiteSpace: 'normal',
} as const;

interface ThresholdSliderProps {
  value: Threshold;
  locked: boolean;
  onChange: (threshold: Threshold) => void;
}

export function ThresholdSlider({ value, locked, onChange }: ThresholdSliderProps) {
  const at = (position: number) => THRESHOLDS[position] ?? value;
  return (
    <Input.Wrapper label="Outage threshold" labelElement="div">
      <Group justify="space-between" mt={4} gap="xs" aria-hidden="true">
        <Muted span>Pauses more often</Muted>
        <Muted span>Only the worst</Muted>
      </Group>
      <Box px={{ base: 24, sm: 48 }} pt="xs" pb={{ base: 56, sm: 40 }}>
        <Slider
          max={THRESHOLDS.length - 1}
          marks={THRESHOLDS.map((threshold, position) => ({
            value: position,
            label: THRESHOLD_WORDS[threshold],
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
          styles={{ thumb: { display: 'flex' }, markLabel: MARK_LABEL }}
        />
      </Box>
      <Effect>{MEANINGS[value]}</Effect>
      {locked && (
        <Alert color="gray" py="xs" mt="sm">
          Threshold adjustments are disabled during Meta outages
        </Alert>
      )}
    </Input.Wrapper>
  );
}
