import {
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  Stack,
  Text,
  TextInput,
  Textarea,
  VisuallyHidden,
} from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useClipboard } from '@mantine/hooks';
import { useState } from 'react';
import type { Destination } from '#contract/destination-api.ts';
import { destinationApi, destinationName } from '#contract/destination-api.ts';
import type { DestinationEvent } from '#core/destination-events.ts';
import type { DestinationKind } from '#core/destinations.ts';
import { CHOICES, OFFERED_EVENTS } from '#core/destination-events.ts';
import { CHANNEL_NAMES, INCIDENT_STAYS, usualEvents } from '#core/destinations.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { CheckMark } from '../../components/icons.tsx';
import { Muted } from '../../components/muted.ts';
import { call, errorMessage, hasCode } from '../../lib/api-client.ts';
import { useDialogFocus } from '../../lib/use-dialog-focus.ts';
import { useNow } from '../../lib/use-now.ts';
import { useAct, useChange, useTest } from './destination-calls.ts';
import { CHANNELS } from './destination-copy.ts';

export interface DialogProps {
  opened: boolean;
  onClose: () => void;
}
export type OwnProps = DialogProps & { of: Destination };

const KINDS = Object.keys(CHANNELS) as DestinationKind[];
const kindOptions = KINDS.map((kind) => ({ value: kind, label: CHANNEL_NAMES[kind] }));

interface Values {
  kind: DestinationKind;
  name: string;
  target: string;
  events: DestinationEvent[];
}

/** @param of null: a new one; otherwise an empty address stays as it is */
function useDestinationForm(initialValues: Values, of: Destination | null) {
  return useForm<Values>({
    initialValues,
    validate: {
      name: (name) =>
        destinationName.safeParse(name).success ? null : 'Enter a name of at most 60 letters.',
      target: (target) => (of === null && target.trim() === '' ? 'Enter the address.' : null),
      events: (events) => ([...events, ...notOffered(of)].length === 0 ? 'Choose at least one event.' : null),
    },
  });
}
type Form = ReturnType<typeof useDestinationForm>;

/** Events that it gets and that this page has no box for: they stay. */
function notOffered(of: Destination | null): DestinationEvent[] {
  const rest = of?.events.filter((event) => !OFFERED_EVENTS.some((one) => one === event)) ?? [];
  return rest as DestinationEvent[];
}

interface FieldsProps {
  form: Form;
  /** Why the server did not accept them. */
  error: Error | null;
  /** An empty address stays as it is. */
  isNew: boolean;
}

function Fields({ form, error, isNew }: FieldsProps) {
  const { label, placeholder } = CHANNELS[form.values.kind];
  const target: TextInputProps = form.getInputProps('target');
  const refusal = isAddressRefused(error) ? errorMessage('Check the address.', error) : null;
  return (
    <>
      <TextInput label="Name" placeholder="Media team" maxLength={60} {...form.getInputProps('name')} />
      <TextInput
        label={isNew ? label : `New ${label.charAt(0).toLowerCase()}${label.slice(1)}`}
        description={isNew ? undefined : 'Leave empty to keep the current one.'}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        {...target}
        error={target.error ?? refusal}
      />
      <Checkbox.Group
        label="Send when"
        description="Every channel also gets a message when your address or another channel stops working."
        {...form.getInputProps('events')}
      >
        <Stack gap={6} mt={6}>
          {OFFERED_EVENTS.map((event) => (
            <Checkbox
              key={event}
              value={event}
              label={CHOICES[event].label}
              description={CHOICES[event].covers}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  );
}

/** Said at its field. */
const isAddressRefused = (error: Error | null) => hasCode(error, 'ADDRESS_REFUSED');

function OtherFailure({ error, otherwise }: { error: Error | null; otherwise: string }) {
  return <Failure error={isAddressRefused(error) ? null : error} otherwise={otherwise} />;
}

interface Added {
  id: string;
  kind: DestinationKind;
  secret?: string | undefined;
  /** What the user entered. */
  target: string;
}

export function AddDialog({ opened, onClose }: DialogProps) {
  const [added, setAdded] = useState<Added | null>(null);
  const needsLink = added?.kind === 'email';
  const title = added === null ? 'Add channel' : `${CHANNEL_NAMES[added.kind]} added`;
  return (
    <Modal {...useDialogFocus(opened)} onClose={onClose} title={title} closeOnClickOutside={added === null}>
      {added === null ? (
        <AddForm onAdded={setAdded} />
      ) : (
        <Stack gap="md">
          {added.secret !== undefined && <Secret secret={added.secret} />}
          <Muted>
            {needsLink
              ? `We sent a link to ${added.target}. Notifications go there once its owner has confirmed it.`
              : 'Send a test to see that messages arrive.'}
          </Muted>
          <Group gap="xs">
            {!needsLink && <TestButton id={added.id} />}
            <Button variant="default" onClick={onClose} {...(needsLink && { autoFocus: true })}>
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
    null,
  );
  const { kind } = form.values;
  const adding = useAct(
    (body: Values) => call(destinationApi.addDestination, { body }),
    null,
    (reply) => onAdded({ ...reply, kind, target: form.values.target.trim() }),
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
        <Fields form={form} error={adding.error} isNew />
        <OtherFailure error={adding.error} otherwise="The channel couldn’t be added. Please try again." />
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
  const form = useDestinationForm({ kind, name: of.name, target: '', events }, of);
  const changing = useChange(of, null, onClose);
  const save = ({ name, target, events: chosen }: Values) =>
    changing.mutate({
      name,
      ...(form.isDirty('events') && { events: [...chosen, ...notOffered(of)] }),
      ...(target.trim() !== '' && { target }),
    });
  return (
    <Modal {...useDialogFocus(opened)} onClose={onClose} title={`Edit ${of.name}`}>
      <form noValidate onSubmit={form.onSubmit(save)}>
        <Stack gap="md">
          <Fields form={form} error={changing.error} isNew={false} />
          {of.hasIncident && form.values.target.trim() !== '' && <Muted>{INCIDENT_STAYS}.</Muted>}
          <OtherFailure error={changing.error} otherwise="The channel couldn’t be saved. Please try again." />
          <Button type="submit" loading={changing.isPending}>
            Save channel
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

/** Sends a test, and says what the receiver answered. */
function TestButton({ id }: { id: string }) {
  const test = useTest(id);
  return (
    <>
      <BusyButton isBusy={test.isPending} onClick={() => test.mutate(undefined)} {...{ autoFocus: true }}>
        Send test
      </BusyButton>
      <TestOutcome test={test} />
    </>
  );
}

export function TestOutcome({ test }: { test: ReturnType<typeof useTest> }) {
  const { isPending, error, data } = test;
  const failure = data?.failure ?? null;
  return (
    <>
      <Muted component="div" fz={13} role="status">
        {isPending && 'Sending a test…'}
        {data?.failure === null && (
          <Group gap={6} c="var(--status-up)" fw={600}>
            <CheckMark /> Test delivered
          </Group>
        )}
      </Muted>
      <Failure error={error} otherwise="The test couldn’t be sent." />
      {failure !== null && (
        <Text role="alert" fz={13} c="var(--mantine-color-error)">
          The test failed: {failure}
        </Text>
      )}
    </>
  );
}

function Secret({ secret }: { secret: string }) {
  const clipboard = useClipboard();
  return (
    <Stack gap={6}>
      <Textarea
        readOnly
        rows={2}
        label="Signing secret"
        description="Copy it now: it is shown only once."
        value={secret}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Group>
        <Button variant="default" onClick={() => clipboard.copy(secret)}>
          {clipboard.copied ? 'Copied' : 'Copy secret'}
        </Button>
        <VisuallyHidden role="status">{clipboard.copied && 'Copied'}</VisuallyHidden>
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

export function DeleteDialog({ of: { id, name, hasIncident }, ...rest }: OwnProps) {
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
      {hasIncident && <Text fz="sm">{INCIDENT_STAYS}.</Text>}
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
        description="In your time zone. What still waits isn’t sent either. Emails to your own address go on."
        value={until}
        onChange={({ currentTarget }) => setUntil(currentTarget.value)}
        error={until !== '' && !isFuture && 'Choose a time in the future.'}
      />
    </ConfirmDialog>
  );
}
