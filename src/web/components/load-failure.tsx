import { Group, Text } from '@mantine/core';
import { BusyButton } from './busy-button.tsx';

interface LoadFailureProps {
  text: string;
  isTrying: boolean;
  onTry: () => void;
}

/** Replaces content that could not be loaded. */
export function LoadFailure({ text, isTrying, onTry }: LoadFailureProps) {
  return (
    <Group justify="space-between" gap="sm" role="alert">
      <Text fz="sm">{text}</Text>
      <BusyButton variant="default" size="xs" isBusy={isTrying} onClick={onTry}>
        Try again
      </BusyButton>
    </Group>
  );
}
