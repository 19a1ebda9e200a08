import { z } from 'zod';
import { integer, metadata, text } from '../wire/params.ts';

export const sessionParams = z.strictObject({
  allow_promotion_codes: z.literal('false').optional(),
  cancel_url: z.url().optional(),
  client_reference_id: text.optional(),
  customer: text.optional(),
  customer_email: text.optional(),
  expires_at: integer.optional(),
  line_items: z
    .array(z.strictObject({ price: text, quantity: integer.optional() }))
    .length(1, 'one line is played'),
  locale: text.optional(),
  metadata: metadata.optional(),
  mode: z.literal('subscription', 'only subscription is played'),
  payment_method_collection: z.enum(['always', 'if_required']).optional(),
  subscription_data: z
    .strictObject({
      description: text.optional(),
      metadata: metadata.optional(),
      trial_end: integer.optional(),
      trial_period_days: integer.pipe(z.number().min(1, 'must be at least 1')).optional(),
      trial_settings: z
        .strictObject({
          end_behavior: z.strictObject({
            missing_payment_method: z.enum(['cancel', 'create_invoice', 'pause']),
          }),
        })
        .optional(),
    })
    .optional(),
  success_url: text,
  ui_mode: z.literal('hosted_page', 'only hosted_page is played').optional(),
});
export type SessionParams = z.infer<typeof sessionParams>;
