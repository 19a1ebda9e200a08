import { Group, Modal, Stack, Text } from '@mantine/core';
import type { Delivery, Destination } from '#contract/destination-api.ts';
import { destinationApi } from '#contract/destination-api.ts';
import { counted } from '#core/labels.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { Time } from '../../components/time.tsx';
import { call } from '../../lib/api-client.ts';
import { useDialogFocus } from '../../lib/use-dialog-focus.ts';
import { useAct, useDeliveries } from './destination-calls.ts';
import type { OwnProps } from './destination-dialogs.tsx';

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
