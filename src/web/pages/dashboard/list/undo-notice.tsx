import { Button, Group, Text } from '@mantine/core';
import { sayDone } from '../../../notices.ts';

/**
 * @param onUndo the opposite action; null: the user may not do it
 * @returns hides the notice, whose Undo is out of date after the next action
 */
export function sayPausedOrResumed(
  act: 'pause' | 'resume',
  campaignName: string,
  onUndo: (() => void) | null,
): () => void {
  return sayDone(
    act === 'pause' ? 'Campaign paused' : 'Campaign resumed',
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <Text inherit style={{ overflowWrap: 'anywhere' }}>
        {campaignName}
      </Text>
      {onUndo !== null && (
        <Button
          size="xs"
          variant="default"
          style={{ flex: 'none' }}
          aria-label={`Undo: ${act} ${campaignName}`}
          onClick={onUndo}
        >
          Undo
        </Button>
      )}
    </Group>,
  );
}
