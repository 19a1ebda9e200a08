import { Box, Button, Card, Divider, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { REFUSALS } from '#contract/errors.ts';
import { DELETION_PHRASE } from '#contract/shapes.ts';
import { blocksDeletion } from '#core/billing/subscription.ts';
import { seconds } from '#core/time.ts';
import { leaveSoon } from '../../auth.tsx';
import { isRefusal } from '../../api/call.ts';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { OutcomeNotice } from '../../components/banners/outcome-notice.tsx';
import { useDeauthorize, useDeleteAccount } from '../../api/account-queries.ts';
import { isGranted } from '../../text/plan-copy.ts';
import { useSubscription } from '../../subscription.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { useOutcome } from '../../hooks/use-outcome.ts';
import { deletionCopy } from './deletion-copy.ts';
import { PrivacyLink } from './legal-links.tsx';
import { Muted } from '../../components/muted.ts';
import { TextLink } from '../../components/links.ts';

const FAREWELL_MS = seconds(2);

export function DangerZone() {
  return (
    <Card component="section" aria-labelledby="danger-zone" style={{ borderColor: 'var(--status-high)' }}>
      <Title order={2} fz="lg" id="danger-zone" c="var(--status-high)">
        Danger Zone
      </Title>
      <Stack gap="md" mt="md">
        <Revoke />
        <Divider />
        <Delete />
      </Stack>
    </Card>
  );
}

function Revoke() {
  const [opened, { open, close }] = useDisclosure(false);
  const [outcome, setOutcome] = useOutcome();
  const deauthorize = useDeauthorize();
  const busy = deauthorize.isPending || deauthorize.isSuccess;

  const onConfirm = () =>
    deauthorize.mutate(undefined, {
      onSuccess: () => {
        setOutcome({ ok: true, text: 'Authorization revoked. Logging you out…' });
        leaveSoon('/?error=DEAUTH_SUCCESS', FAREWELL_MS);
      },
      onError: (error) =>
        setOutcome({ ok: false, text: 'Failed to revoke authorization. Please try again.', error }),
    });
  return (
    <Entry
      title="Revoke authorization"
      text="Removes our access to your ad accounts and turns SmartPause off for every campaign. Your settings are kept in case you come back."
      button={
        <Button variant="default" c="var(--status-high)" onClick={open}>
          Revoke authorization
        </Button>
      }
    >
      <ConfirmModal
        opened={opened}
        onClose={close}
        title="Revoke authorization?"
        busy={busy}
        confirm={
          <Button color="red.9" onClick={onConfirm} disabled={busy}>
            {deauthorize.isPending ? 'Revoking…' : 'Revoke authorization'}
          </Button>
        }
      >
        <Text fz="sm">
          Campaigns paused by SmartPause are resumed first. Then our access on Meta is revoked, and your
          campaigns are no longer protected. You’ll be logged out.
        </Text>
        <OutcomeNotice outcome={outcome} />
      </ConfirmModal>
    </Entry>
  );
}

function Delete() {
  const [opened, { open, close }] = useDisclosure(false);
  const { subscription, hasActiveSubscription } = useSubscription();
  const now = useNow();
  const isBlocked = blocksDeletion(subscription, hasActiveSubscription);
  return (
    <Entry
      title="Delete account"
      text={
        <>
          Deletes your account and your data, except what the <PrivacyLink /> lists under “After a deletion”.
          This can’t be undone.
        </>
      }
      button={
        <Button
          color="red.9"
          onClick={open}
          disabled={isBlocked}
          {...(isBlocked && { 'aria-describedby': 'deletion-blocked' })}
        >
          Delete account
        </Button>
      }
      note={
        isBlocked && (
          <Text fz="sm" mt={6} id="deletion-blocked">
            {REFUSALS.SUBSCRIPTION_ACTIVE.message}
            {subscription !== null && isGranted(subscription) && <ClearGrant />}
          </Text>
        )
      }
    >
      <DeleteDialog opened={opened} onClose={close} ending={deletionCopy(subscription, now)} />
    </Entry>
  );
}

interface DeleteDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The effect on the subscription. */
  ending: string | null;
}

function DeleteDialog({ opened, onClose, ending }: DeleteDialogProps) {
  const [typed, setTyped] = useState('');
  const [outcome, setOutcome] = useOutcome();
  const deletion = useDeleteAccount();
  const busy = deletion.isPending || deletion.isSuccess;

  const onConfirm = () => {
    if (typed !== DELETION_PHRASE) return;
    deletion.mutate(typed, {
      onSuccess: () => {
        setOutcome({ ok: true, text: 'Your account is deleted. Logging you out…' });
        leaveSoon('/', FAREWELL_MS);
      },
      onError: (error) => {
        const text = isRefusal(error, 'SUBSCRIPTION_ACTIVE')
          ? 'Your account wasn’t deleted.'
          : 'Failed to delete account. Please try again.';
        setOutcome({ ok: false, text, error });
      },
    });
  };
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title="Delete account?"
      busy={busy}
      confirm={
        <Button color="red.9" onClick={onConfirm} disabled={busy || typed !== DELETION_PHRASE}>
          {deletion.isPending ? 'Deleting…' : 'Delete account'}
        </Button>
      }
    >
      <Text fz="sm">
        Campaigns paused by SmartPause are resumed first. Then our access is revoked, and your account,
        settings and history are permanently deleted.
      </Text>
      {ending !== null && (
        <Text fz="sm" fw={600}>
          {ending}
        </Text>
      )}
      <TextInput
        label={`Type ${DELETION_PHRASE} to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
      <OutcomeNotice outcome={outcome} />
    </ConfirmModal>
  );
}

function ClearGrant() {
  return (
    <>
      {' '}
      Yours was granted by an admin: <TextLink to="/admin">clear it in Admin</TextLink>.
    </>
  );
}

interface EntryProps {
  title: string;
  text: ReactNode;
  button: ReactNode;
  /** Why the button is disabled. */
  note?: ReactNode;
  children: ReactNode;
}

function Entry({ title, text, button, note, children }: EntryProps) {
  return (
    <Group justify="space-between" gap="md">
      <Box maw={340}>
        <Text fw={600}>{title}</Text>
        <Muted>{text}</Muted>
        {note}
      </Box>
      {button}
      {children}
    </Group>
  );
}
