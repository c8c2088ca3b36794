// SPDX-License-Identifier: GPL-2.0-or-later
// Objects that this process and those it forks later see alike.
#pragma once

#include <cerrno>
#include <cstddef>
#include <new>
#include <sys/mman.h>

#include "core/error.h"

namespace schedlab {

// `size` objects of T, made by T(). T must not point outside itself, and is not destroyed.
template <class T> class SharedArray {
public:
    explicit SharedArray(std::size_t size) : size_(size) {
        void *memory = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            throw environment_error("cannot get shared memory: " + errno_text(errno));
        objects_ = static_cast<T *>(memory);
        for (std::size_t i = 0; i < size; ++i)
            new (objects_ + i) T();
    }
    ~SharedArray() { ::munmap(objects_, bytes()); }
    SharedArray(const SharedArray &) = delete;
    SharedArray &operator=(const SharedArray &) = delete;

    T &operator[](std::size_t i) { return objects_[i]; }
    T *begin() { return objects_; }
    T *end() { return objects_ + size_; }

private:
    std::size_t bytes() const { return size_ * sizeof(T) + 1; } // mmap refuses nothing at all

    std::size_t size_;
    T *objects_;
};

} // namespace schedlab
