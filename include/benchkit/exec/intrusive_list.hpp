#pragma once

namespace benchkit::inline v0_1::detail {

/// The link of one list that an object can be in; objects in several lists have one hook per tag.
template <class Tag>
class list_hook {
  public:
    list_hook() noexcept = default;
    // A copy is a new object: it is in no list.
    list_hook(const list_hook&) noexcept {}
    list_hook& operator=(const list_hook&) noexcept { return *this; }
    ~list_hook() { unlink(); }

    [[nodiscard]] bool linked() const noexcept { return next_ != nullptr; }

    void unlink() noexcept {
        if (!linked()) return;
        previous_->next_ = next_;
        next_->previous_ = previous_;
        previous_ = next_ = nullptr;
    }

  private:
    template <class, class>
    friend class intrusive_list;

    list_hook* previous_ = nullptr;
    list_hook* next_ = nullptr;
};

/// A doubly linked list of objects that bring their own link: no allocation, removal in constant time.
template <class T, class Tag>
class intrusive_list {
  public:
    intrusive_list() noexcept { head_.previous_ = head_.next_ = &head_; }
    intrusive_list(const intrusive_list&) = delete;
    intrusive_list& operator=(const intrusive_list&) = delete;
    ~intrusive_list() {
        while (!empty()) pop_front();
        head_.previous_ = head_.next_ = nullptr;
    }

    [[nodiscard]] bool empty() const noexcept { return head_.next_ == &head_; }

    [[nodiscard]] T& front() noexcept { return static_cast<T&>(*head_.next_); }

    void push_back(T& object) noexcept { insert_before(head_, object); }

    /// Behind all that `object` is not less than; looks from the back on.
    template <class Less>
    void insert_sorted(T& object, Less less) noexcept {
        static_cast<list_hook<Tag>&>(object).unlink();
        list_hook<Tag>* place = &head_;
        while (place->previous_ != &head_ && less(object, static_cast<T&>(*place->previous_))) {
            place = place->previous_;
        }
        insert_before(*place, object);
    }

    T& pop_front() noexcept {
        T& object = front();
        static_cast<list_hook<Tag>&>(object).unlink();
        return object;
    }

  private:
    static void insert_before(list_hook<Tag>& place, T& object) noexcept {
        list_hook<Tag>& hook = object;
        hook.unlink();
        hook.previous_ = place.previous_;
        hook.next_ = &place;
        place.previous_->next_ = &hook;
        place.previous_ = &hook;
    }

    list_hook<Tag> head_;
};

}  // namespace benchkit::inline v0_1::detail
