import { Alert, Box, Input, Slider, Text } from '@mantine/core';
import type { Threshold } from '#core/smartpause/level.ts';
import { THRESHOLDS } from '#core/smartpause/level.ts';
import { Effect } from './effect.ts';
import { THRESHOLD_SENTENCES, THRESHOLD_WORDS } from './settings-copy.ts';

const MARKS = THRESHOLDS.map((threshold, value) => ({ value, label: THRESHOLD_WORDS[threshold] }));

interface ThresholdSliderProps {
  value: Threshold;
  locked: boolean;
  onChange: (threshold: Threshold) => void;
}

export function ThresholdSlider({ value, locked, onChange }: ThresholdSliderProps) {
  return (
    <Input.Wrapper label="Outage threshold" labelElement="div">
      <Box px={{ base: 24, sm: 48 }} pt="md" pb={{ base: 56, sm: 40 }}>
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
          thumbValueText={(position) => THRESHOLD_WORDS[THRESHOLDS[position] ?? value]}
          thumbProps={{ 'aria-disabled': locked }}
          thumbSize={24}
          {...(locked && { color: 'gray' })}
          styles={{
            thumb: { display: 'flex' },
            // Narrow, so that neighbours do not overlap on a phone.
            markLabel: {
              width: 'min(170px, 28vw)',
              color: 'var(--mantine-color-text)',
              textAlign: 'center',
              whiteSpace: 'normal',
            },
          }}
        />
      </Box>
      <Effect>{THRESHOLD_SENTENCES[value]}</Effect>
      {locked && (
        <Alert color="gray" py="xs" mt="sm">
          <Text inherit>Threshold adjustments are disabled during Meta outages</Text>
        </Alert>
      )}
    </Input.Wrapper>
  );
}
