// SPDX-License-Identifier: Apache-2.0
//
// Threads that do the same with each of many items, in no order, again and again. An item must not
// touch what another one reads or writes.

#ifndef ANL_LOCKSTEP_CREW_H
#define ANL_LOCKSTEP_CREW_H

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class crew
{
  public:
    // So many threads in all, the caller's own included; at least 1. begin() is called once in each
    // of the others.
    crew(unsigned threads, const std::function<void()> &begin)
    {
        for (unsigned i = 1; i < threads; i++)
            others.emplace_back([this, begin] {
                {
                    const std::lock_guard<std::mutex> guard(lock);
                    begin();
                }
                serve();
            });
    }

    ~crew()
    {
        {
            const std::lock_guard<std::mutex> guard(lock);
            over = true;
        }
        started.notify_all();
        for (std::thread &other : others)
            other.join();
    }

    crew(const crew &) = delete;
    crew &operator=(const crew &) = delete;

    // Calls work(i) for each i below count; returns when all have returned.
    void each(size_t count, const std::function<void(size_t)> &work)
    {
        {
            const std::lock_guard<std::mutex> guard(lock);
            job = &work, size = count, left = others.size(), round++;
            next = 0;
        }
        started.notify_all();
        share(work, count);
        std::unique_lock<std::mutex> guard(lock);
        done.wait(guard, [this] { return left == 0; });
    }

  private:
    enum { AT_ONCE = 16 };  // items that a thread takes

    void share(const std::function<void(size_t)> &work, size_t count)
    {
        for (size_t from; (from = next.fetch_add(AT_ONCE)) < count;)
            for (size_t i = from; i < count && i < from + AT_ONCE; i++)
                work(i);
    }

    void serve()
    {
        std::unique_lock<std::mutex> guard(lock);
        for (unsigned long seen = 0;;) {
            started.wait(guard, [&] { return over || round != seen; });
            if (over) return;
            seen = round;
            const std::function<void(size_t)> &work = *job;
            const size_t count = size;
            guard.unlock();
            share(work, count);
            guard.lock();
            if (--left == 0) done.notify_one();
        }
    }

    std::vector<std::thread> others;
    std::mutex lock;
    std::condition_variable started, done;
    const std::function<void(size_t)> *job = nullptr;
    size_t size = 0, left = 0;
    unsigned long round = 0;
    std::atomic<size_t> next{0};
    bool over = false;
};

#endif
