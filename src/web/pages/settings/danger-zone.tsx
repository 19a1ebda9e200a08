import {
  Anchor,
  Box,
  Button,
  Card,
  Divider,
  Group,
  Modal,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Link } from 'react-router';
import { REFUSALS } from '#contract/errors.ts';
import { DELETION_PHRASE } from '#contract/shapes.ts';
import { blocksDeletion } from '#core/billing/subscription.ts';
import { seconds } from '#core/time.ts';
import { leaveSoon } from '../../auth.tsx';
import { isRefusal } from '../../api/call.ts';
import { ModalButtons } from '../../components/modal-buttons.tsx';
import { OutcomeNotice } from '../../components/banners/outcome-notice.tsx';
import { useDeauthorize, useDeleteAccount } from '../../api/account-queries.ts';
import { isGranted } from '../../text/plan-words.ts';
import { useSubscription } from '../../subscription.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { useOutcome } from '../../hooks/use-outcome.ts';
import { deletionWords } from './deletion-words.ts';
import { PrivacyLink } from './legal-links.tsx';

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
      text="SmartPause loses its access to your ad accounts and is turned off for every campaign. Your settings are kept for when you come back."
      button={
        <Button variant="default" c="var(--status-high)" onClick={open}>
          Revoke authorization
        </Button>
      }
    >
      <Modal opened={opened} onClose={close} title="Revoke authorization?" closeOnClickOutside={!busy}>
        <Stack>
          <Text fz="sm">
            Campaigns that SmartPause is holding are resumed first. Then our access is revoked on Meta and no
            campaign is protected any more. You are logged out.
          </Text>
          <OutcomeNotice outcome={outcome} />
          <ModalButtons busy={busy} onCancel={close}>
            <Button color="red.9" onClick={onConfirm} disabled={busy}>
              {deauthorize.isPending ? 'Revoking…' : 'Revoke authorization'}
            </Button>
          </ModalButtons>
        </Stack>
      </Modal>
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
          Removes your account and your data, but for what the <PrivacyLink /> names under “After a deletion”.
          This cannot be undone.
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
      <DeleteDialog opened={opened} onClose={close} ending={deletionWords(subscription, now)} />
    </Entry>
  );
}

interface DeleteDialogProps {
  opened: boolean;
  onClose: () => void;
  /** What becomes of the subscription. */
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
      onError: (error) => setOutcome({ ok: false, ...deletionFailure(error) }),
    });
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Delete account?" closeOnClickOutside={!busy}>
      <Stack>
        <Text fz="sm">
          Campaigns that SmartPause is holding are resumed first. Then our access is revoked and your account,
          settings and history are deleted for good.
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
        <ModalButtons busy={busy} onCancel={onClose}>
          <Button color="red.9" onClick={onConfirm} disabled={busy || typed !== DELETION_PHRASE}>
            {deletion.isPending ? 'Deleting…' : 'Delete account'}
          </Button>
        </ModalButtons>
      </Stack>
    </Modal>
  );
}

function ClearGrant() {
  return (
    <>
      {' '}
      It is an admin grant:{' '}
      <Anchor component={Link} to="/admin" inherit underline="always">
        clear it in Admin
      </Anchor>
      .
    </>
  );
}

function deletionFailure(error: Error): { text: string; error?: Error } {
  const text = 'Failed to delete account. Please try again.';
  return isRefusal(error, 'SUBSCRIPTION_ACTIVE')
    ? { text: 'Your account was not deleted.', error }
    : { text, error };
}

interface EntryProps {
  title: string;
  text: ReactNode;
  button: ReactNode;
  /** Why the button cannot be pressed. */
  note?: ReactNode;
  children: ReactNode;
}

function Entry({ title, text, button, note, children }: EntryProps) {
  return (
    <Group justify="space-between" gap="md">
      <Box maw={340}>
        <Text fw={600}>{title}</Text>
        <Text fz="sm" c="dimmed">
          {text}
        </Text>
        {note}
      </Box>
      {button}
      {children}
    </Group>
  );
}
