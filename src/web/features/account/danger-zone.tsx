import { Box, Button, Card, Divider, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { REFUSALS } from '#contract/errors.ts';
import { DELETION_PHRASE } from '#contract/shapes.ts';
import { blocksDeletion } from '#core/billing/subscription.ts';
import { seconds } from '#core/time.ts';
import { leaveSoon } from '../auth/auth-provider.tsx';
import { isRefusal } from '../../lib/api-client.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { OutcomeNotice } from '../../components/outcome-notice.tsx';
import { useDeauthorize, useDeleteAccount } from './api.ts';
import { isGranted } from '../billing/plan-copy.ts';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { useNow } from '../../lib/use-now.ts';
import { useOutcome } from '../../lib/use-outcome.ts';
import { deletionCopy, revocationCopy } from './leaving-copy.ts';
import { PrivacyLink } from '../legal/legal-links.tsx';
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
  const { subscription } = useSubscription();
  const leave = useDeauthorize(() => leaveSoon('/?error=DEAUTH_SUCCESS', FAREWELL_MS));
  const billing = revocationCopy(subscription);
  return (
    <Leave
      action="Revoke authorization"
      text="Removes our access to your ad accounts and turns SmartPause off for every campaign. If you come back, your settings are prefilled in the setup."
      leave={leave}
      leaving="Revoking…"
      done="Authorization revoked. Logging you out…"
      failed="Failed to revoke authorization. Please try again."
    >
      <Text fz="sm">
        Campaigns paused by SmartPause are resumed first. Then our access on Meta is revoked, and your
        campaigns are no longer protected. You’ll be logged out.
      </Text>
      {billing !== null && (
        <Text fz="sm" fw={600}>
          {billing}
        </Text>
      )}
    </Leave>
  );
}

function Delete() {
  const [typed, setTyped] = useState('');
  const { subscription, hasActiveSubscription } = useSubscription();
  const ending = deletionCopy(subscription, useNow());
  const leave = useDeleteAccount(() => leaveSoon('/?error=ACCOUNT_DELETED', FAREWELL_MS));
  return (
    <Leave
      action="Delete account"
      text={
        <>
          Deletes your account and your data, except what the <PrivacyLink /> lists under “After a deletion”.
          This can’t be undone.
        </>
      }
      blocked={
        blocksDeletion(subscription, hasActiveSubscription) && (
          <>
            {REFUSALS.SUBSCRIPTION_ACTIVE.message}
            {subscription !== null && isGranted(subscription) && (
              <>
                {' '}
                Yours was granted by an admin: <TextLink to="/admin">clear it in Admin</TextLink>.
              </>
            )}
          </>
        )
      }
      leave={leave}
      leaving="Deleting…"
      done="Your account is deleted. Logging you out…"
      failed="Failed to delete account. Please try again."
      onOpen={() => setTyped('')}
      isReady={typed === DELETION_PHRASE}
      isFinal
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
    </Leave>
  );
}

interface LeaveProps {
  /** On both buttons. */
  action: string;
  text: ReactNode;
  /** Why the button is disabled; false: it is not. */
  blocked?: ReactNode;
  leave: UseMutationResult<unknown, Error, void>;
  /** The texts while it goes on, after it, and after a failure. */
  leaving: string;
  done: string;
  failed: string;
  onOpen?: () => void;
  isReady?: boolean;
  isFinal?: boolean;
  /** The content of the dialog. */
  children: ReactNode;
}

/** A way to leave: what it does, and a dialog that asks first. */
function Leave({ action, leave, onOpen, isReady = true, isFinal = false, ...props }: LeaveProps) {
  const { text, blocked = false, leaving, done, failed, children } = props;
  const [opened, { open, close }] = useDisclosure(false);
  const [outcome, setOutcome] = useOutcome();
  const busy = leave.isPending || leave.isSuccess;

  const onConfirm = () =>
    leave.mutate(undefined, {
      onError: (error) => {
        const isBlocked = isRefusal(error, 'SUBSCRIPTION_ACTIVE');
        setOutcome({ ok: false, text: isBlocked ? 'Your account wasn’t deleted.' : failed, error });
      },
    });
  return (
    <Group justify="space-between" gap="md">
      <Box maw={340}>
        <Text fw={600}>{action}</Text>
        <Muted>{text}</Muted>
        {blocked !== false && (
          <Text fz="sm" mt={6} id="leaving-blocked">
            {blocked}
          </Text>
        )}
      </Box>
      <Button
        {...(isFinal ? { color: 'red.9' } : { variant: 'default', c: 'var(--status-high)' })}
        disabled={blocked !== false}
        {...(blocked !== false && { 'aria-describedby': 'leaving-blocked' })}
        onClick={() => {
          onOpen?.();
          open();
        }}
      >
        {action}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={`${action}?`}
        busy={busy}
        confirm={
          <BusyButton
            color="red.9"
            isBusy={leave.isPending}
            isInert={busy}
            disabled={!isReady}
            onClick={onConfirm}
          >
            {leave.isPending ? leaving : action}
          </BusyButton>
        }
      >
        {children}
        <OutcomeNotice outcome={leave.isSuccess ? { ok: true, text: done, reason: null } : outcome} />
      </ConfirmDialog>
    </Group>
  );
}
