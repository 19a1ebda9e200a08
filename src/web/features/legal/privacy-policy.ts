import { HISTORY_DAYS, LOGIN_MINUTES, SESSION_DAYS, UNUSED_SESSION_DAYS } from '#core/periods.ts';

/** `{company}` and `{contact us}` are filled in by the page. */
export const PRIVACY_POLICY = `
This policy explains which personal data SmartPause processes, why, who receives it, how long we keep it, and what you can do about it.

# Who we are
{company} (“we”) operates the SmartPause service and is responsible for the personal data described here. SmartPause is not part of Meta.

# What we collect
We collect only what SmartPause needs in order to work.
- From Meta, when you log in: your name, your user id for our app, your email address if Meta shares it, and an access token for your ad accounts.
- From Meta, while you use SmartPause: the ids, names, currencies, statuses and time zones of your ad accounts; the ids, names, statuses, objectives, daily budgets, start and end dates of your campaigns; for campaigns with SmartPause on, what they spent and how often their ads were shown in each hour; and which status changes were made outside SmartPause, by which app and which person, as Meta’s activity log names them.
- From you: the email address for our messages, your outage threshold, your resume settings, the campaigns you turn SmartPause on for, and the channels you add for notifications.
- From your use: an activity log of what you and SmartPause did, the emails we sent you, and the start and last use of your sessions.
- From Stripe: your customer and subscription ids, plan, subscription status, and the dates of your trial and billing period. We never receive your card number.
- In server logs: time, IP address, page or API call, result, and your account id once you are logged in.
We do not collect data about the people who see your ads.

# What we use it for
Where the law requires a legal basis, it is given in parentheses.
- To read your campaigns, pause those with SmartPause on during outages, and resume exactly those afterwards (our contract with you).
- To estimate what your campaigns would have spent in an outage (our contract with you).
- To email you about every pause and resume, your account and, through Stripe, your subscription (our contract with you).
- To start, renew and end your subscription and to give each person one free trial (our contract with you, and our legitimate interest in preventing misuse).
- To keep the service secure, find faults and limit abuse (our legitimate interest in a safe service).
- To keep records that the law requires (legal obligation).
We do not sell your personal data or use it for advertising. Pauses and resumes follow the settings you choose. We make no automated decisions about you as a person.

# Emails
Emails for SmartPause actions are mandatory. We email you whenever SmartPause pauses or resumes a campaign, and you cannot turn these emails off while you use the service. We send no marketing emails.

# Who we share it with
We share personal data only with:
- Meta, which receives our requests to read, pause and resume your campaigns.
- The services you add as channels, such as Slack, which receive the notifications you choose for them.
- Stripe, which handles payments, invoices and the billing portal, and receives your name, email address and plan.
- Our email provider, which delivers our messages to you.
- Our hosting provider, which runs our servers and database.
- Authorities and courts, if the law requires it.
- A successor to our business, if it is sold or merged. This policy continues to apply.
Our providers may use the data only to provide their service to us. Other people with access to the same ad account on Meta may see that SmartPause changed a campaign.

# Cookies and browser storage
We use no advertising or analytics cookies. Your browser stores:
- A login cookie, for up to ${LOGIN_MINUTES} minutes, which ties a login to the browser that started it.
- A cookie, for a few minutes after a login, which confirms that the login is yours.
- In local storage: your session token until you log out, and your choice of light or dark colors.
- In session storage, until you close the tab: the page to open after a login, and scroll positions.
Facebook and Stripe set their own cookies on their own pages.

# How long we keep it
- Account, settings, ad accounts and campaigns: until you delete your account.
- Access token: until you revoke our access or delete your account.
- Activity log, records of past pauses and outages, and emails: ${HISTORY_DAYS} days.
- Hourly spend: 8 to 13 weeks.
- Sessions: ${SESSION_DAYS} days from the login, or ${UNUSED_SESSION_DAYS} days without use.
- Server logs: 90 days.
- Backups: until they are replaced by newer ones.
Stripe keeps invoices and payment records for as long as the law requires.

# Security
Access tokens are encrypted at rest and never leave our servers except in requests to Meta. Session tokens are stored only as hashes. Connections are encrypted, and only operators who need it can reach the servers. No system is completely secure; if a breach puts your data at risk, we notify you and the authorities as the law requires.

# Your rights and choices
In Settings you can, at any time:
- Correct your email address and settings.
- Log out everywhere else.
- Revoke our access to your ad accounts.
- Delete your account and its data, once no subscription is active.
Before either, campaigns that SmartPause has paused are resumed.
For a copy of everything we store about you, {contact us}. You can also revoke our access and request deletion in the settings of your Facebook account. Meta then shows you a confirmation code and a link to the status of the deletion. Depending on where you live, you may also have the right to access, correct, delete or transfer your data, to object to or restrict its use, and to complain to a data protection authority. Write to the address below. We answer within 30 days and will not treat you worse for making a request.

# After a deletion
We keep two things. The first is a fingerprint of your Meta user id, made with a secret key, so that each person gets one free trial. Your name and id cannot be read from it. The second is kept only if you requested the deletion on Meta: the confirmation code with that fingerprint and the times of the request and of its completion.

# International transfers
We and our providers may process data in the United States and in other countries whose laws differ from yours. Where the law requires it, we rely on safeguards such as the standard contractual clauses of the European Commission.

# Children
SmartPause is for businesses and is not directed to anyone under 18. We do not knowingly collect data from children. If you believe that we have, tell us and we will delete it.

# Changes to this policy
We update this policy when SmartPause or the law changes. The date at the top shows the last change. We email you before a change that matters to you takes effect.
`;
