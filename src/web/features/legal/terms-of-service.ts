import { PRICES, TRIAL_DAYS } from '#core/billing/subscription.ts';

/** `{company}` is filled in by the page. */
export const TERMS_OF_SERVICE = `
These terms are the agreement between you and us for the use of SmartPause. Please read them before you complete your account setup.

# Agreement
{company} (“we”) operates the SmartPause service. You accept these terms when you tick the box in the account setup or use SmartPause. If you use it for a company, you confirm that you may accept these terms for it. If you do not accept them, do not use SmartPause.

# The service
SmartPause watches the public status of Meta’s ad services. When the status meets the threshold you chose, SmartPause pauses the active campaigns for which you turned it on. Afterwards it resumes exactly those campaigns, at the time you chose. It does not touch any other campaigns.
If you change a paused campaign outside SmartPause, your change wins: SmartPause stops managing that campaign until you turn SmartPause on again.

# Your account
You must be at least 18 years old and allowed to manage the ad accounts you use with SmartPause. You log in with Facebook, so keep your Facebook account secure: you are responsible for what is done through your account. Tell us promptly if you believe that someone else has used it. Keep your email address in Settings correct.

# Your Meta connection
SmartPause needs your permission on Meta to read and manage your ads. You allow us to pause and resume campaigns for you according to your settings. You can revoke the permission at any time. Meta’s own terms apply to your use of Meta. Meta does not sponsor, endorse or operate SmartPause.
Meta’s permission expires from time to time. Until you log in again, SmartPause cannot pause or resume your campaigns. We notify you by email and in the app.

# Emails
Emails for SmartPause actions are mandatory. By using the service you agree to receive emails about every pause and resume that SmartPause carries out and about your account, and emails from Stripe about your subscription and payments. You cannot turn them off while you use the service.

# Plans and payment
SmartPause is a paid subscription: $${PRICES.monthly} per month, or $${PRICES.yearly} per year billed once a year, plus taxes where they apply. Stripe processes all payments.
- Free trial: your first subscription starts with ${TRIAL_DAYS} days free, once per person. You are charged when the trial ends, unless you cancel before then.
- Renewal: the subscription renews automatically for the same period until you cancel.
- Cancellation: cancel at any time in the billing portal, which you open in Settings. SmartPause keeps working until the end of the trial or of the period you have paid for. We do not refund unused time, unless the law requires it.
- Failed payments: until an overdue payment is made, new outages do not pause your campaigns. Campaigns that SmartPause has already paused are still resumed.
- Price changes: we email you at least 30 days before a new price applies to your subscription. It applies from the next renewal.

# Acceptable use
You may not:
- use SmartPause for ad accounts that you are not allowed to manage;
- break the law, Meta’s terms or the rights of others with it;
- probe, overload or bypass its security or limits, except to report a vulnerability to us responsibly;
- resell it, copy it, or get more than one free trial.

# Limitations
SmartPause depends on Meta. Please understand what it cannot promise:
- SmartPause detects outages only from Meta’s status page. The page can be late, wrong or unavailable.
- During an outage Meta may be slow to accept our requests or reject them. Campaigns may be paused or resumed late, or not at all.
- Meta may still deliver and charge for ads shortly after a pause.
- Pausing and resuming can affect delivery and results. We do not guarantee savings or performance.
- The service may be interrupted for maintenance or by faults.
You remain responsible for your campaigns, budgets and results. Check them in Ads Manager after an outage.

# Your data
Your data stays yours. You allow us to process it in order to provide the service, as the Privacy Policy describes. The software, the name and the design of SmartPause belong to us or our licensors; software under an open-source license stays under that license.

# Termination
You can stop at any time: cancel the subscription, revoke our access, or delete your account in Settings. An account with a running subscription can be deleted once the subscription is canceled.
We may suspend or end your account if you break these terms, if an overdue payment is not made, if Meta or the law requires it, or if we stop offering the service. Where we can, we notify you 30 days in advance. If we stop offering the service, we refund the unused part of a period you have paid for.
Before our access ends, we resume the campaigns that SmartPause has paused, as far as Meta allows. The sections on limitations, disclaimer, liability, governing law and arbitration continue to apply afterwards.

# Disclaimer
To the extent permitted by law, SmartPause is provided “as is” and “as available”, without warranties of any kind, express or implied, including merchantability, fitness for a particular purpose and non-infringement.

# Limitation of liability
To the extent permitted by law, we are not liable for indirect, incidental, special, consequential or punitive damages, or for lost profits, revenue, data or advertising spend. Our total liability for all claims is limited to what you paid us in the 12 months before the claim, or $100 if that is more. Nothing in these terms limits liability that cannot be limited by law.

# Governing law
These terms are governed by the laws of the State of Illinois, United States, without regard to its rules on conflict of laws.

# Arbitration
Please contact us first: most disputes can be settled informally within 30 days. Disputes that cannot be settled are decided by binding arbitration in Chicago, Illinois, under the Commercial Arbitration Rules of the American Arbitration Association. Judgment on the award may be entered in any court that has jurisdiction. Claims are brought individually, not as a class action.
Either of us may instead use a small claims court, or ask a court to stop a misuse of intellectual property. If the law where you live gives you rights as a consumer that cannot be waived, you keep them.

# Changes to these terms
We may change these terms. The date at the top shows the last change. We email you at least 30 days before a change that matters to you takes effect. If you do not agree, you can cancel before then; if you keep using SmartPause afterwards, you accept the new terms.

# General
These terms and the Privacy Policy are the whole agreement between us about SmartPause. If any part is not enforceable, the rest stays in force. If we do not enforce a right, we do not waive it. You may not transfer this agreement without our consent. However, we may transfer it to a successor to our business.
`;
