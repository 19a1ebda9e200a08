import type { ButtonProps } from '@mantine/core';
import { Box, Button, Divider, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { API_ERRORS } from '#contract/errors.ts';
import { DELETION_PHRASE } from '#contract/shapes.ts';
import { INCIDENT_STAYS } from '#core/destinations.ts';
import { blocksDeletion, needsPayment } from '#core/billing/subscription.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { PrivacyLink, TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { Outcome } from '../../components/outcome.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { destinationsQuery } from '../../lib/destinations.ts';
import { useUserStatus } from '../status/api.ts';
import { BILLING_SETTINGS, isGranted } from '../subscription/plan-copy.ts';
import { useSubscription } from '../subscription/subscription-provider.tsx';
import { useDeauthorize, useDeleteAccount } from './api.ts';
import { resumesFirst } from './leave-copy.ts';
import { LeaveProgress } from './leave-progress.tsx';

const RED = 'var(--status-high)';

export function DangerZone() {
  const { subscription, hasActiveSubscription: isActive } = useSubscription();
  const isBlocked = blocksDeletion(subscription, isActive);
  const ends = isActive || needsPayment(subscription) || subscription?.status === 'unknown';
  return (
    <SectionCard id="danger-zone" title="Danger Zone" titleColor={RED} style={{ borderColor: RED }}>
      <Stack gap="md">
        <Leave
          action="Revoke authorization"
          button={{ variant: 'default', c: RED }}
          effect="Then our access on Meta is revoked, and your campaigns are no longer protected. You’ll be logged out."
          billing={
            subscription?.renews === true &&
            'Your subscription continues and is still charged. To stop paying, cancel it in Billing first.'
          }
          leave={useDeauthorize()}
          leaving="Revoking…"
          done="Authorization revoked. Logging you out…"
        >
          Removes our access to your ad accounts and turns SmartPause off for every campaign. If you come
          back, your settings are prefilled in the setup.
        </Leave>
        <Divider />
        <Leave
          action="Delete account"
          button={{
            color: 'red.9',
            disabled: isBlocked,
            ...(isBlocked && { 'aria-describedby': 'deletion-blocked' }),
          }}
          effect="Then our access is revoked, and your account, settings and history are permanently deleted."
          billing={
            ends &&
            'What is left of your subscription ends immediately. You won’t be charged again, and nothing is refunded.'
          }
          leave={useDeleteAccount()}
          leaving="Deleting…"
          done="Your account is deleted. Logging you out…"
          phrase={DELETION_PHRASE}
          warning={<OpenIncident />}
        >
          Deletes your account and your data, except what the <PrivacyLink /> lists under “After a deletion”.
          This can’t be undone.
          {isBlocked && (
            <Text inherit c="var(--mantine-color-text)" mt={6} id="deletion-blocked">
              {API_ERRORS.SUBSCRIPTION_ACTIVE.message}{' '}
              {subscription !== null && isGranted(subscription) ? (
                <>
                  Yours was granted by an admin: <TextLink to="/admin">clear it in Admin</TextLink>.
                </>
              ) : (
                <TextLink to={BILLING_SETTINGS}>Go to Billing</TextLink>
              )}
            </Text>
          )}
        </Leave>
      </Stack>
    </SectionCard>
  );
}

/** PagerDuty gets no end from a deleted channel. */
function OpenIncident() {
  const { data: channels = [] } = useQuery(destinationsQuery);
  return channels.some(({ hasIncident }) => hasIncident) && <Text fz="sm">{INCIDENT_STAYS}.</Text>;
}

interface LeaveProps {
  /** On both buttons. */
  action: string;
  /** Of the button that opens the dialog. */
  button: ButtonProps & { 'aria-describedby'?: string };
  /** What happens after the resumes, also to the subscription: the dialog says it. */
  effect: string;
  billing: string | false;
  /** What else the dialog says. */
  warning?: ReactNode;
  /** What the user must type; empty: nothing. */
  phrase?: string;
  leave: ReturnType<typeof useDeauthorize>;
  /** The texts while it goes on, and after it. */
  leaving: string;
  done: string;
  /** What it does. */
  children: ReactNode;
}

/** A way to leave, and a dialog that asks first. */
function Leave({ action, button, effect, billing, phrase = '', leave, ...props }: LeaveProps) {
  const [typed, setTyped] = useState('');
  const [opened, { open, close }] = useDisclosure(false, { onOpen: () => setTyped('') });
  const { isPending, isSuccess, isUnderWay, mutate } = leave;
  const { data: user } = useUserStatus();
  const state = { isBusy: isPending, isInert: isPending, disabled: typed !== phrase };
  const confirm = isSuccess ? null : (
    <BusyButton color="red.9" {...state} onClick={mutate}>
      {isPending ? props.leaving : action}
    </BusyButton>
  );
  return (
    <Group justify="space-between" gap="md">
      <Box maw={440}>
        <Text fw={600}>{action}</Text>
        <Muted component="div">{props.children}</Muted>
      </Box>
      <Button {...button} onClick={open}>
        {action}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={`${action}?`}
        busy={isPending || isSuccess}
        confirm={confirm}
      >
        <Text fz="sm">
          {resumesFirst(user)} {effect}
        </Text>
        {billing !== false && (
          <Text fz="sm" fw={600}>
            {billing}
          </Text>
        )}
        {props.warning}
        {phrase !== '' && (
          <TextInput
            label={`Type ${phrase} to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {isUnderWay && opened && !isSuccess && <LeaveProgress />}
        <Outcome
          mutation={leave}
          done={props.done}
          failed={`Failed to ${action.toLowerCase()}. Please try again.`}
          staysDone
        />
      </ConfirmDialog>
    </Group>
  );
}
