import { Faq, pricingQuestions } from '../../../components/faq.tsx';
import { Section } from './section.tsx';

const MORE = [
  {
    question: 'Will SmartPause change campaigns on its own?',
    answer:
      'Only the ones you turned it on for, and only when a disruption meets your threshold. It pauses and resumes them, and never changes budgets, ads or audiences. Campaigns that were already paused stay paused.',
  },
  {
    question: 'What if I change a paused campaign myself?',
    answer:
      'Your change wins. If you resume a paused campaign in Ads Manager, SmartPause leaves it running and emails you. It stays off for that campaign until you turn it on again.',
  },
  {
    question: 'Does it catch every outage?',
    answer:
      'It catches what Meta posts on its status page, as soon as Meta posts it. On January 8, 2026, that took 25 to 40 minutes. While the page can’t be read, nothing new is paused, and scheduled resumes still happen on time.',
  },
  {
    question: 'Do I need a card for the trial?',
    answer:
      'Yes. Stripe asks for a card when you start and charges nothing until the trial ends. Stripe emails you before it does.',
  },
  {
    question: 'Is SmartPause part of Meta?',
    answer: 'No. It uses Meta’s public API with your permission, which you can revoke anytime.',
  },
];

export function Questions() {
  return (
    <Section
      id="questions"
      title="Frequently asked questions"
      text="What people ask before they start."
      beside
    >
      <Faq questions={[...pricingQuestions(true), ...MORE]} />
    </Section>
  );
}
