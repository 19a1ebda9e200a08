import { Alert, Box, Input, Slider, Text } from '@mantine/core';
import type { Threshold } from '#core/smartpause/level.ts';
import { THRESHOLDS } from '#core/smartpause/level.ts';

const MEANING: Record<Threshold, string> = {
  LOW: 'Pauses on any disruption: low, medium or high. The most careful choice.',
  MEDIUM: 'Pauses on medium and high disruptions. Recommended.',
  HIGH: 'Pauses only on high disruptions. Small ones are sat out.',
};

const WORDS: Record<Threshold, string> = { LOW: 'Low', MEDIUM: 'Medium (recommended)', HIGH: 'High' };

const MARKS = THRESHOLDS.map((threshold, value) => ({ value, label: WORDS[threshold] }));

export interface ThresholdSliderProps {
  value: Threshold;
  locked: boolean;
  onChange: (threshold: Threshold) => void;
}

export function ThresholdSlider({ value, locked, onChange }: ThresholdSliderProps) {
  return (
    <Input.Wrapper label="Outage threshold" labelElement="div" description={MEANING[value]}>
      <Box px={{ base: 24, sm: 48 }} pt="md" pb={36}>
        <Slider
          min={0}
          max={THRESHOLDS.length - 1}
          step={1}
          marks={MARKS}
          value={THRESHOLDS.indexOf(value)}
          onChange={(position) => onChange(THRESHOLDS[position] ?? value)}
          disabled={locked}
          label={null}
          thumbLabel="Outage threshold"
          thumbValueText={(position) => WORDS[THRESHOLDS[position] ?? value]}
          thumbProps={{ 'aria-disabled': locked }}
          thumbSize={24}
          {...(locked && { color: 'gray' })}
          styles={{ thumb: { display: 'flex' }, markLabel: { color: 'var(--mantine-color-text)' } }}
        />
      </Box>
      {locked && (
        <Alert color="gray" py="xs">
          <Text inherit>Threshold adjustments are disabled during Meta outages</Text>
        </Alert>
      )}
    </Input.Wrapper>
  );
}
