import { Button, Checkbox, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useClipboard } from '@mantine/hooks';
import { useState } from 'react';
import type { Delivery, Destination } from '#contract/destination-api.ts';
import { destinationApi, destinationName } from '#contract/destination-api.ts';
import type { DestinationEvent } from '#core/destinations.ts';
import { CHANNEL_NAMES, OFFERED_EVENTS, usualEvents } from '#core/destinations.ts';
import { counted } from '#core/labels.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { CheckMark } from '../../components/icons.tsx';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { Time } from '../../components/time.tsx';
import { call } from '../../lib/api-client.ts';
import { useDialogFocus } from '../../lib/use-dialog-focus.ts';
import { useNow } from '../../lib/use-now.ts';
import { useAct, useChange, useDeliveries, useTest } from './destination-calls.ts';
import type { OfferedKind } from './destination-copy.ts';
import { CHANNELS, EVENT_LABELS } from './destination-copy.ts';

export interface DialogProps {
  opened: boolean;
  onClose: () => void;
}
type OwnProps = DialogProps & { of: Destination };

const KINDS = Object.keys(CHANNELS) as OfferedKind[];
const kindOptions = KINDS.map((kind) => ({ value: kind, label: CHANNEL_NAMES[kind] }));

interface Values {
  kind: OfferedKind;
  name: string;
  target: string;
  events: DestinationEvent[];
}

/** @param needsTarget false: an empty address stays as it is */
function useDestinationForm(initialValues: Values, needsTarget: boolean) {
  return useForm<Values>({
    initialValues,
    validate: {
      name: (name) =>
        destinationName.safeParse(name).success ? null : 'Enter a name of at most 60 letters.',
      target: (target) => (needsTarget && target.trim() === '' ? 'Enter the address.' : null),
      events: (events) => (events.length === 0 ? 'Choose at least one event.' : null),
    },
  });
}
type Form = ReturnType<typeof useDestinationForm>;

function Fields({ form, targetLabel }: { form: Form; targetLabel?: string }) {
  const { label, placeholder } = CHANNELS[form.values.kind];
  return (
    <>
      <TextInput label="Name" placeholder="Media team" maxLength={60} {...form.getInputProps('name')} />
      <TextInput
        label={targetLabel ?? label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('target')}
      />
      <Checkbox.Group label="Send when" {...form.getInputProps('events')}>
        <Stack gap={6} mt={6}>
          {OFFERED_EVENTS.map((event) => (
            <Checkbox key={event} value={event} label={EVENT_LABELS[event]} />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  );
}

interface Added {
  id: string;
  kind: OfferedKind;
  secret?: string | undefined;
}

export function AddDialog({ opened, onClose }: DialogProps) {
  const [added, setAdded] = useState<Added | null>(null);
  const title = added === null ? 'Add channel' : `${CHANNEL_NAMES[added.kind]} added`;
  return (
    <Modal {...useDialogFocus(opened)} onClose={onClose} title={title} closeOnClickOutside={added === null}>
      {added === null ? (
        <AddForm onAdded={setAdded} />
      ) : (
        <Stack gap="md">
          {added.secret !== undefined && <Secret secret={added.secret} />}
          <Muted>Send a test to see that messages arrive.</Muted>
          <Group gap="xs">
            <TestButton id={added.id} hasFocus />
            <Button variant="default" onClick={onClose}>
              Done
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function AddForm({ onAdded }: { onAdded: (added: Added) => void }) {
  const form = useDestinationForm(
    { kind: 'slack', name: '', target: '', events: usualEvents('slack') },
    true,
  );
  const { kind } = form.values;
  const adding = useAct(
    (body: Values) => call(destinationApi.addDestination, { body }),
    null,
    (reply) => onAdded({ ...reply, kind }),
  );
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (!adding.isPending) adding.mutate(values);
      })}
    >
      <Stack gap="md">
        <NativeSelect
          data-autofocus
          label="Channel"
          description={CHANNELS[kind].help}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={kindOptions}
          value={kind}
          onChange={({ currentTarget }) => {
            const chosen = KINDS.find((one) => one === currentTarget.value) ?? kind;
            form.setValues({ kind: chosen, events: usualEvents(chosen) });
          }}
        />
        <Fields form={form} />
        <Failure error={adding.error} otherwise="The channel couldn’t be added. Please try again." />
        <Button type="submit" loading={adding.isPending}>
          Add channel
        </Button>
      </Stack>
    </form>
  );
}

export function EditDialog({ of, opened, onClose }: OwnProps) {
  const kind = KINDS.find((one) => one === of.kind) ?? 'webhook';
  const events = OFFERED_EVENTS.filter((event) => of.events.includes(event));
  const form = useDestinationForm({ kind, name: of.name, target: '', events }, false);
  const changing = useChange(of, null, onClose);
  const save = ({ name, target, events: chosen }: Values) =>
    changing.mutate({ name, events: chosen, ...(target.trim() !== '' && { target }) });
  return (
    <Modal {...useDialogFocus(opened)} onClose={onClose} title={`Edit ${of.name}`}>
      <form noValidate onSubmit={form.onSubmit(save)}>
        <Stack gap="md">
          <Fields form={form} targetLabel={`New ${CHANNELS[kind].label} (empty: stays)`} />
          <Failure error={changing.error} otherwise="The channel couldn’t be saved. Please try again." />
          <Button type="submit" loading={changing.isPending}>
            Save channel
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

/** Sends a test, and says what the receiver answered. */
function TestButton({ id, hasFocus = false }: { id: string; hasFocus?: boolean }) {
  const test = useTest(id);
  return (
    <>
      <BusyButton
        isBusy={test.isPending}
        onClick={() => test.mutate(undefined)}
        {...(hasFocus && { autoFocus: true })}
      >
        Send test
      </BusyButton>
      <TestOutcome test={test} />
    </>
  );
}

export function TestOutcome({ test }: { test: ReturnType<typeof useTest> }) {
  if (test.isPending) return <Muted role="status">Sending a test…</Muted>;
  if (test.error !== null) return <Failure error={test.error} otherwise="The test couldn’t be sent." />;
  if (test.data === undefined) return null;
  const { failure } = test.data;
  if (failure === null)
    return (
      <Group role="status" gap={6} fz={13} c="var(--status-up)" fw={600}>
        <CheckMark /> Test delivered
      </Group>
    );
  return (
    <Text role="alert" fz={13} c="var(--mantine-color-error)">
      The test failed: {failure}
    </Text>
  );
}

function Secret({ secret }: { secret: string }) {
  const clipboard = useClipboard();
  return (
    <Stack gap={6}>
      <TextInput
        readOnly
        label="Signing secret"
        description="Copy it now: it is shown only once."
        value={secret}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Group>
        <Button variant="default" onClick={() => clipboard.copy(secret)}>
          {clipboard.copied ? 'Copied' : 'Copy secret'}
        </Button>
      </Group>
    </Stack>
  );
}

export function RotateDialog({ of: { id, name }, ...rest }: OwnProps) {
  const rotating = useAct(
    () => call(destinationApi.rotateSecret, { params: { id } }),
    'Failed to create a new secret',
  );
  const secret = rotating.data?.secret;
  return (
    <ConfirmDialog
      {...rest}
      title={secret === undefined ? `Create a new secret for ${name}?` : `New secret of ${name}`}
      busy={rotating.isPending}
      closeOnClickOutside={!rotating.isPending && secret === undefined}
      cancel={secret === undefined ? 'Cancel' : 'Done'}
      confirm={
        secret === undefined && (
          <BusyButton isBusy={rotating.isPending} onClick={() => rotating.mutate(undefined)}>
            Create secret
          </BusyButton>
        )
      }
    >
      {secret !== undefined && <Secret secret={secret} />}
      <Text fz="sm">The former secret signs beside the new one for 24 hours.</Text>
    </ConfirmDialog>
  );
}

export function DeleteDialog({ of: { id, name }, ...rest }: OwnProps) {
  const deleting = useAct(
    () => call(destinationApi.deleteDestination, { params: { id } }),
    'Failed to delete the channel',
    rest.onClose,
  );
  return (
    <ConfirmDialog
      {...rest}
      title={`Delete ${name}?`}
      busy={deleting.isPending}
      confirm={
        <BusyButton color="red.9" isBusy={deleting.isPending} onClick={() => deleting.mutate(undefined)}>
          Delete channel
        </BusyButton>
      }
    >
      <Text fz="sm">It gets no more notifications, and its address and deliveries are deleted.</Text>
    </ConfirmDialog>
  );
}

export function QuietDialog({ of, ...rest }: OwnProps) {
  const [until, setUntil] = useState('');
  const changing = useChange(of, 'Failed to save the quiet time', rest.onClose);
  const chosen = Date.parse(until);
  const isFuture = chosen > useNow();
  const save = () => isFuture && changing.mutate({ quietUntil: new Date(chosen).toISOString() });
  return (
    <ConfirmDialog
      {...rest}
      title="Quiet until …"
      confirm={
        <BusyButton isBusy={changing.isPending} isInert={!isFuture || changing.isPending} onClick={save}>
          Save quiet time
        </BusyButton>
      }
    >
      <TextInput
        type="datetime-local"
        label={`Send nothing to ${of.name} until`}
        description="In your time zone. Emails to your own address go on."
        value={until}
        onChange={({ currentTarget }) => setUntil(currentTarget.value)}
        error={until !== '' && !isFuture && 'Choose a time in the future.'}
      />
    </ConfirmDialog>
  );
}

export function DeliveriesDialog({ of, opened, onClose }: OwnProps) {
  const query = useDeliveries(of.id);
  return (
    <Modal {...useDialogFocus(opened)} onClose={onClose} title={`Deliveries to ${of.name}`} size="lg">
      <QueryContent
        query={query}
        data={query.data}
        failure="The deliveries couldn’t be loaded."
        heights={[60]}
      >
        {(deliveries) =>
          deliveries.length === 0 ? (
            <Muted>Nothing was sent in the last 30 days.</Muted>
          ) : (
            <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
              {deliveries.map((one) => (
                <DeliveryItem key={one.id} of={of} delivery={one} />
              ))}
            </Stack>
          )
        }
      </QueryContent>
    </Modal>
  );
}

const DELIVERY_WORDS = { sent: 'Delivered', failed: 'Failed', waiting: 'Waiting' } as const;

function DeliveryItem({ of, delivery }: { of: Destination; delivery: Delivery }) {
  const { id: deliveryId, title, at, state, attempts, failure, nextAt } = delivery;
  const params = { id: of.id, deliveryId };
  const again = useAct(() => call(destinationApi.sendDeliveryAgain, { params }), 'Failed to send it again');
  return (
    <Group component="li" justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
      <div>
        <Text fz="sm" fw={600}>
          {title}
        </Text>
        <Muted fz={13}>
          {state !== null && `${DELIVERY_WORDS[state]} · `}
          {attempts > 0 && `${counted(attempts, 'attempt')} · `}
          <Time at={at} />
        </Muted>
        {failure !== null && (
          <Text fz={13} c="var(--mantine-color-error)">
            {failure}
          </Text>
        )}
        {nextAt !== null && attempts > 0 && (
          <Muted fz={13}>
            Next try: <Time at={nextAt} />
          </Muted>
        )}
      </div>
      {of.state === 'on' && state !== 'waiting' && (
        <BusyButton
          variant="default"
          size="xs"
          flex="none"
          isBusy={again.isPending}
          aria-label={`Send again: ${title}`}
          onClick={() => again.mutate(undefined)}
        >
          Send again
        </BusyButton>
      )}
    </Group>
  );
}
