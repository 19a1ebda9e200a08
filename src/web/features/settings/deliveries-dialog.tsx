import { Alert, Group, Modal, Stack, Text } from '@mantine/core';
import type { Delivery, Destination } from '#contract/destination-api.ts';
import { destinationApi } from '#contract/destination-api.ts';
import { counted } from '#core/labels.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { Time } from '../../components/time.tsx';
import { call } from '../../lib/api-client.ts';
import { useDialogFocus } from '../../lib/use-dialog-focus.ts';
import { useAct, useChange, useDeliveries } from './destination-calls.ts';
import { listedCopy } from './destination-copy.ts';
import type { OwnProps } from './destination-dialogs.tsx';

export function DeliveriesDialog({ of, opened, onClose }: OwnProps) {
  const query = useDeliveries(of.id);
  const listed = listedCopy(query.data?.length ?? 0);
  return (
    <Modal {...useDialogFocus(opened)} onClose={onClose} title={`Deliveries to ${of.name}`} size="lg">
      <QueryContent
        query={query}
        data={query.data}
        failure="The deliveries couldn’t be loaded."
        heights={[60]}
      >
        {(deliveries) => (
          <Stack gap="md">
            {of.state !== 'on' && <TurnedOff of={of} />}
            {listed !== null && <Muted>{listed}</Muted>}
            <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
              {deliveries.map((one) => (
                <DeliveryItem key={one.id} of={of} delivery={one} />
              ))}
            </Stack>
          </Stack>
        )}
      </QueryContent>
    </Modal>
  );
}

/** Why nothing is sent there. What was not delivered can be sent again once the channel is on. */
function TurnedOff({ of }: { of: Destination }) {
  const turning = useChange(of, 'Failed to turn the channel on');
  const isOurs = of.state === 'disabled';
  return (
    <Alert color={isOurs ? 'red' : 'gray'} title={isOurs ? 'Turned off by SmartPause' : 'You turned it off'}>
      <Group justify="space-between" gap="sm">
        <span>{of.disabledReason} To send these again, turn it on.</span>
        <BusyButton
          variant="default"
          size="sm"
          isBusy={turning.isPending}
          onClick={() => turning.mutate({ isOn: true })}
        >
          Turn on
        </BusyButton>
      </Group>
    </Alert>
  );
}

/** Before the time of the last attempt, or that since which it waits for the first one. */
const DELIVERY_WORDS = { sent: 'Delivered', failed: 'Failed', waiting: 'Waiting, last tried' } as const;

function DeliveryItem({ of, delivery }: { of: Destination; delivery: Delivery }) {
  const { id: deliveryId, title, at, state, attempts, triedAt, failure, nextAt } = delivery;
  const params = { id: of.id, deliveryId };
  const again = useAct(() => call(destinationApi.sendDeliveryAgain, { params }), 'Failed to send it again');
  return (
    <Group component="li" justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
      <div>
        <Text fz="sm" fw={600}>
          {title}
        </Text>
        <Muted fz={13}>
          {triedAt === null ? 'Waiting since ' : state !== null && `${DELIVERY_WORDS[state]} `}
          <Time at={triedAt ?? at} />
          {attempts > 1 && ` · ${counted(attempts, 'attempt')}`}
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
      {of.state === 'on' && !(state === 'waiting' && attempts === 0) && (
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
