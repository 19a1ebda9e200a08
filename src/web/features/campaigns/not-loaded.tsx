import { Group, Text } from '@mantine/core';
import { BusyButton } from '../../components/busy-button.tsx';
import { leaveFocusToList } from './leave-focus.ts';
import { Notice } from './list/list-age.tsx';

interface NotLoadedProps {
  text: string;
  query: { isFetching: boolean; refetch: () => Promise<unknown> };
}

/** What has never been loaded; it is tried again by itself, so nothing alarms (DASH-14). */
export function NotLoaded({ text, query }: NotLoadedProps) {
  return (
    <Notice>
      <Group ref={leaveFocusToList} justify="space-between" gap="xs">
        <Text fz="sm" role="status">
          {text} SmartPause keeps trying.
        </Text>
        <BusyButton
          variant="default"
          size="xs"
          isBusy={query.isFetching}
          onClick={() => void query.refetch()}
        >
          Try again
        </BusyButton>
      </Group>
    </Notice>
  );
}
