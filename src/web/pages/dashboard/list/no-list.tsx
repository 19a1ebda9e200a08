import { Group, Text } from '@mantine/core';
import { isRefusal } from '../../../api/call.ts';
import { BusyButton } from '../../../components/busy-button.tsx';
import { ListNotice } from './list-notice.tsx';

interface NoListProps {
  failure: Error;
  isTrying: boolean;
  onTry: () => void;
}

/** The list of this ad account has not been read even once, so there is no older one to show. */
export function NoList({ failure, isTrying, onTry }: NoListProps) {
  return (
    <ListNotice>
      <Group justify="space-between" gap="xs">
        <Text fz="sm" role="status">
          {isRefusal(failure, 'PLATFORM_UNAVAILABLE')
            ? 'Meta does not answer, and there is no list of this ad account yet.'
            : 'The campaigns of this ad account could not be loaded.'}{' '}
          SmartPause tries again by itself.
        </Text>
        <BusyButton variant="default" size="xs" isBusy={isTrying} onClick={onTry}>
          Try again
        </BusyButton>
      </Group>
    </ListNotice>
  );
}
