import { Alert, Group } from '@mantine/core';
import { BusyButton } from '../../components/busy-button.tsx';
import { useNow } from '../../lib/use-now.ts';
import { useUserStatus } from '../status/api.ts';
import { useCancelChange, useSendLink } from './api.ts';
import { unreachedCopy } from './email-copy.ts';

export function SendLinkButton({ label }: { label: string }) {
  const { mutate, isPending } = useSendLink();
  return (
    <BusyButton size="sm" variant="default" isBusy={isPending} onClick={mutate}>
      {label}
    </BusyButton>
  );
}

function CancelButton() {
  const { mutate, isPending } = useCancelChange();
  return (
    <BusyButton size="sm" variant="default" isBusy={isPending} onClick={mutate}>
      Cancel the change
    </BusyButton>
  );
}

/** Below the saved address: whether emails reach it. */
export function Unreached() {
  const { data: user } = useUserStatus();
  const copy = unreachedCopy({ email: null, ...user }, useNow());
  if (copy === null) return null;
  return (
    <Alert mt="sm" role="status" color="orange" title={copy.title}>
      <Group justify="space-between" gap="sm">
        <span style={{ overflowWrap: 'anywhere' }}>{copy.text}</span>
        <Group gap="xs">
          <SendLinkButton label={copy.button} />
          {user?.unreached?.former !== undefined && <CancelButton />}
        </Group>
      </Group>
    </Alert>
  );
}
