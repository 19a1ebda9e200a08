import { Container, Stack, Text, Title } from '@mantine/core';
import { PageHeading } from '../components/page-heading.tsx';

interface Section {
  heading: string;
  text: string;
}

const PRIVACY: Section[] = [
  {
    heading: 'What we keep',
    text: 'Your name and user id on Meta, the email address you give us, your SmartPause settings, the ids and names of your ad accounts and campaigns, and a record of what SmartPause did and when, which is kept for 400 days. The access that Meta gives us to your ad accounts is stored encrypted and never leaves our server.',
  },
  {
    heading: 'What we use it for',
    text: "To read your campaigns, to pause those with SmartPause on when Meta's ad services are disrupted, to resume exactly those afterwards, and to tell you about it. We do not sell your data and we do not use it for advertising.",
  },
  {
    heading: 'Emails',
    text: 'Emails for SmartPause actions are mandatory: whenever SmartPause pauses or resumes a campaign we write to you, and this cannot be switched off while you use the service.',
  },
  {
    heading: 'Others who see it',
    text: 'Meta, because that is where your campaigns are; the payment provider, which handles your card so that we never see it; and the mail service that carries our emails.',
  },
  {
    heading: 'Your choices',
    text: 'In Settings you can download everything we keep about you as one file, see and end the sessions in which you are logged in, revoke our access at any time, or delete your account together with all your data. Campaigns that SmartPause holds at that moment are resumed first. Revoking and deleting can also be asked for on Meta, in the settings of your Facebook account; Meta then gives you a confirmation code with which you can see how far the deletion is.',
  },
  {
    heading: 'After a deletion',
    text: 'Two things are kept. One is a fingerprint of your user id on Meta, made with a secret key, so that the free trial is given once; your name or id cannot be read from it. The other, if you asked for the deletion on Meta, is its confirmation code, with that fingerprint and the times at which it was asked for and finished.',
  },
];

const TERMS: Section[] = [
  {
    heading: 'What the service does',
    text: "SmartPause watches the public status of Meta's ad services. When it meets the threshold you chose, campaigns for which you switched SmartPause on are paused; afterwards exactly those are resumed, at the time you chose.",
  },
  {
    heading: 'What it cannot promise',
    text: 'The service depends on Meta: on what its status page says and on its systems carrying out our requests. During an outage these may be late or unavailable. Your campaigns, budgets and results remain your responsibility.',
  },
  {
    heading: 'Emails',
    text: 'Emails for SmartPause actions are mandatory. By using the service you agree to receive one for every pause and every resume that SmartPause carries out.',
  },
  {
    heading: 'Plans and payment',
    text: 'The service is a paid subscription, monthly or yearly, with a free trial of 30 days. It renews until you cancel; after a cancellation it lasts until the end of the period that is paid for.',
  },
  {
    heading: 'Ending it',
    text: 'You can stop at any time in Settings. Campaigns that SmartPause holds are resumed before we give up our access.',
  },
  {
    heading: 'Governing law',
    text: 'These terms are governed by the law of the State of Illinois, United States.',
  },
  {
    heading: 'Arbitration',
    text: 'Disputes that cannot be settled between us are decided by binding arbitration in Chicago, Illinois.',
  },
];

export function PrivacyPolicy() {
  return <LegalText title="Privacy Policy" sections={PRIVACY} />;
}

export function TermsOfService() {
  return <LegalText title="Terms of Service" sections={TERMS} />;
}

function LegalText({ title, sections }: { title: string; sections: Section[] }) {
  return (
    <Container size="sm" py={48}>
      <PageHeading>{title}</PageHeading>
      <Stack gap="lg" mt="xl">
        {sections.map(({ heading, text }) => (
          <section key={heading}>
            <Title order={2} fz="lg" mb={4}>
              {heading}
            </Title>
            <Text lh={1.65}>{text}</Text>
          </section>
        ))}
      </Stack>
    </Container>
  );
}
